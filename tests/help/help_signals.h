/* help_signals.h: resets signals in a child before it executes the program. The process that runs
 * the tests may ignore or block signals (nohup does), and a program keeps ignoring signals that
 * were ignored when it began. */
#ifndef HELP_SIGNALS_H
#define HELP_SIGNALS_H

#include <signal.h>
#include <stddef.h>

static inline void signals_as_usual(void)
{
	sigset_t none;
	for (int number = 1; number <= SIGRTMAX; number++)
		signal(number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

#endif
