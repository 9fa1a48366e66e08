/* raster_begin.c: a thread that prepares the fonts of a page while its numbers are computed.
 *
 * To open the fonts, and to draw the first letters of each, takes longer than most pages. Pango's
 * objects must not be used by two threads at once, but one thread may hand them to another: the
 * drawing thread waits for the thread that it began, and then takes over its fonts. */
#include "plot/raster_in.h"

#include <pthread.h>
#include <signal.h>

#include "plot/page_library.h"
#include "posviz/base/descriptors.h"

struct beginning {
	bool begun;
	pthread_t thread;
	struct raster_look look;
	PangoFontMap *fonts; /* NULL: none */
};

static _Thread_local struct beginning beginning;

static void *make_ready(void *context)
{
	struct beginning *const b = context;
	const struct figure none = {0};
	struct page page;
	struct arena arena;
	struct err err;
	arena_init(&arena);
	if (raster_open(&page, &none, &b->look, &arena, &err)) {
		raster_text_size(&page, raster_faces_first(&page));
		b->fonts = g_object_ref(page.fonts);
	}
	raster_text_close(&page);
	arena_release(&arena);
	return NULL;
}

/* Fontconfig is queried in this thread, because standard error is redirected meanwhile. */
void raster_begin(const struct raster_look *look)
{
	struct beginning *const b = &beginning;
	if (b->begun || !(look->height > 0)) /* the height is not known before the figure is */
		return;
	if (!descriptors_room(DESCRIPTORS_PAGE, "fonts", NULL)) /* raster_open reports this error */
		return;
	raster_fonts_trouble();
	b->look = *look;
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	b->begun = pthread_create(&b->thread, NULL, make_ready, b) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

PangoFontMap *raster_begun(void)
{
	struct beginning *const b = &beginning;
	if (!b->begun)
		return NULL;
	pthread_join(b->thread, NULL);
	PangoFontMap *const fonts = b->fonts;
	*b = (struct beginning){0};
	return fonts;
}

void raster_begin_end(void)
{
	PangoFontMap *const fonts = raster_begun();
	if (fonts != NULL)
		g_object_unref(fonts);
}
