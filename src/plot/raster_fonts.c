/* raster_fonts.c: the fonts that Fontconfig knows, and its messages.
 *
 * Fontconfig writes complaints about its configuration to standard error, and has no setting
 * against this. So its configuration is read once with standard error redirected to a pipe, and the
 * message becomes a line of the program's own. */
#include "plot/raster_in.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "plot/page_library.h"
#include "posviz/base/portable.h"
#include "posviz/base/strbuf.h"

static struct {
	pthread_once_t once;
	char said[256]; /* first line of its message; "" for none */
} fonts = {.once = PTHREAD_ONCE_INIT};

static void keep_said(int from)
{
	static const char head[] = "Fontconfig error: ";
	const ssize_t n = read(from, fonts.said, sizeof fonts.said - 1);
	fonts.said[n > 0 ? n : 0] = '\0';
	fonts.said[strcspn(fonts.said, "\n")] = '\0';
	if (strncmp(fonts.said, head, sizeof head - 1) == 0)
		memmove(fonts.said, fonts.said + sizeof head - 1,
			strlen(fonts.said) - sizeof head + 2);
}

/* GLib ends the program itself if it gets no memory; here that becomes a message of `die`, after
 * the terminal was restored. */
static void take_message(const gchar *domain, GLogLevelFlags level, const gchar *message,
			 gpointer context)
{
	if (level & (G_LOG_FLAG_FATAL | G_LOG_LEVEL_ERROR))
		die("%s: %s", domain ? domain : "GLib", message);
	g_log_default_handler(domain, level, message, context);
}

/* Text that does not fit into the pipe is lost; only the first line is needed. */
static void load(void)
{
	g_log_set_default_handler(take_message, NULL);
	const int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	int aside[2];
	const bool piped = portable_pipe(aside);
	const bool led = kept >= 0 && piped && dup2(aside[1], STDERR_FILENO) >= 0;
	FcInit();
	if (led) {
		clearerr(stderr);
		dup2(kept, STDERR_FILENO);
		keep_said(aside[0]);
	}
	if (kept >= 0)
		close(kept);
	if (piped) {
		close(aside[0]);
		close(aside[1]);
	}
}

const char *raster_fonts_trouble(void)
{
	pthread_once(&fonts.once, load);
	return fonts.said;
}

bool raster_fonts_have(const char *family)
{
	FcChar8 *name;
	raster_fonts_trouble();
	FcFontSet *const all = FcConfigGetFonts(NULL, FcSetSystem);
	for (int i = 0; all != NULL && i < all->nfont; i++)
		for (int k = 0;
		     FcPatternGetString(all->fonts[i], FC_FAMILY, k, &name) == FcResultMatch; k++)
			if (FcStrCmpIgnoreCase(name, (const FcChar8 *)family) == 0)
				return true;
	return false;
}

/* Appends family and version of the font that Fontconfig finds for `family`; false if that is
 * another family. */
static bool describe_font(struct strbuf *out, const char *family)
{
	FcPattern *asked = FcPatternCreate();
	FcPatternAddString(asked, FC_FAMILY, (const FcChar8 *)family);
	FcConfigSubstitute(NULL, asked, FcMatchPattern);
	FcDefaultSubstitute(asked);
	FcResult result;
	FcPattern *found = FcFontMatch(NULL, asked, &result);
	FcPatternDestroy(asked);
	FcChar8 *name = NULL;
	int version = 0;
	const bool same = found != NULL &&
			  FcPatternGetString(found, FC_FAMILY, 0, &name) == FcResultMatch &&
			  FcStrCmpIgnoreCase(name, (const FcChar8 *)family) == 0;
	if (same) {
		FcPatternGetInteger(found, FC_FONTVERSION, 0, &version);
		strbuf_printf(out, "%s%s %.3g", out->len > 0 ? ", " : "", (const char *)name,
			      version / 65536.0);
	}
	if (found != NULL)
		FcPatternDestroy(found);
	return same;
}

const char *raster_fonts(struct arena *a)
{
	static const char *const families[] = {"Inter", "DejaVu Sans", "DejaVu Serif",
					       "Noto Sans CJK JP"};
	struct strbuf out;
	strbuf_init(&out, a);
	raster_fonts_trouble();
	for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
		describe_font(&out, families[i]);
	if (out.len == 0)
		strbuf_add(&out, "the system's default");
	return out.at;
}
