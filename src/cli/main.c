/* main.c: prepares the process before anything else runs. */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <unistd.h>

#include "cli.h"
#include "posviz/base/cleanup.h"
#include "posviz/math/machine.h"

/* Opens /dev/null for each standard descriptor that is closed. Otherwise the next file opened would
 * get its number, and a message would be written into that file. /dev/null is opened in
 * the wrong direction, so that reading or writing fails as for a closed descriptor. */
static void keep_descriptors(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
			_exit(EXIT_BAD_USE);
}

int main(int argc, char **argv)
{
	keep_descriptors();
	machine_setup();
	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	signal(SIGPIPE, SIG_DFL); /* a reader that closes the pipe is no error */
	cleanup_catch(NULL);
	return cli_main(argc, argv);
}
