#include "help_colour.h"

#include <math.h>
#include <stdbool.h>

static const double degree = 0.017453292519943295;

struct light {
	double r, g, b; /* linear light */
};

static double linear(uint32_t rgb, int shift)
{
	const double c = (double)(rgb >> shift & 255) / 255;
	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static struct light light_of(uint32_t rgb)
{
	return (struct light){linear(rgb, 16), linear(rgb, 8), linear(rgb, 0)};
}

static double cube_root(double t)
{
	return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

static struct help_lab lab_of(struct light c)
{
	const double x = cube_root((0.4124564 * c.r + 0.3575761 * c.g + 0.1804375 * c.b) / 0.95047);
	const double y = cube_root(0.2126729 * c.r + 0.7151522 * c.g + 0.0721750 * c.b);
	const double z = cube_root((0.0193339 * c.r + 0.1191920 * c.g + 0.9503041 * c.b) / 1.08883);
	return (struct help_lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

struct help_lab help_lab(uint32_t rgb)
{
	return lab_of(light_of(rgb));
}

struct help_lab help_mixed(uint32_t rgb, uint32_t on, double share)
{
	const struct light x = light_of(rgb), y = light_of(on);
	return lab_of((struct light){share * x.r + (1 - share) * y.r,
				     share * x.g + (1 - share) * y.g,
				     share * x.b + (1 - share) * y.b});
}

static double clamp(double x)
{
	return fmin(fmax(x, 0), 1);
}

struct help_lab help_seen(uint32_t rgb, enum help_eye eye)
{
	static const double seen[EYES][3][3] = {[EYE_NORMAL] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
						[EYE_PROTAN] = {{0.152286, 1.052583, -0.204868},
								{0.114503, 0.786281, 0.099216},
								{-0.003882, -0.048116, 1.051998}},
						[EYE_DEUTAN] = {{0.367322, 0.860646, -0.227968},
								{0.280085, 0.672501, 0.047413},
								{-0.011820, 0.042940, 0.968881}},
						[EYE_TRITAN] = {{1.255528, -0.076749, -0.178779},
								{-0.078411, 0.930809, 0.147602},
								{0.004733, 0.691367, 0.303900}}};
	const struct light c = light_of(rgb);
	double out[3];
	for (int i = 0; i < 3; i++) {
		const double *const row = seen[eye][i];
		out[i] = clamp(row[0] * c.r + row[1] * c.g + row[2] * c.b);
	}
	return lab_of((struct light){out[0], out[1], out[2]});
}

static double hue(double a, double b)
{
	const double h = a == 0 && b == 0 ? 0 : atan2(b, a) / degree;
	return h < 0 ? h + 360 : h;
}

static double power7(double c)
{
	return sqrt(pow(c, 7) / (pow(c, 7) + pow(25, 7)));
}

static double mean_hue(double x, double y)
{
	const double sum = x + y;
	return fabs(x - y) <= 180 ? sum / 2 : sum < 360 ? sum / 2 + 180 : sum / 2 - 180;
}

static double turn(double from, double to)
{
	const double d = to - from;
	return d > 180 ? d - 360 : d < -180 ? d + 360 : d;
}

double help_difference(struct help_lab x, struct help_lab y)
{
	const double g = 0.5 * (1 - power7((hypot(x.a, x.b) + hypot(y.a, y.b)) / 2));
	const double ax = (1 + g) * x.a, ay = (1 + g) * y.a;
	const double cx = hypot(ax, x.b), cy = hypot(ay, y.b), c = (cx + cy) / 2;
	const double hx = hue(ax, x.b), hy = hue(ay, y.b);
	const bool grey = cx * cy == 0;
	const double h = grey ? hx + hy : mean_hue(hx, hy), l = (x.l + y.l) / 2 - 50;
	const double t = 1 - 0.17 * cos((h - 30) * degree) + 0.24 * cos(2 * h * degree) +
			 0.32 * cos((3 * h + 6) * degree) - 0.20 * cos((4 * h - 63) * degree);
	const double dl = (y.l - x.l) / (1 + 0.015 * l * l / sqrt(20 + l * l));
	const double dc = (cy - cx) / (1 + 0.045 * c);
	const double dh =
		grey ? 0 : 2 * sqrt(cx * cy) * sin(turn(hx, hy) / 2 * degree) / (1 + 0.015 * c * t);
	const double rotation = -2 * power7(c) * sin(60 * exp(-pow((h - 275) / 25, 2)) * degree);
	return sqrt(dl * dl + dc * dc + dh * dh + rotation * dc * dh);
}

double help_apart(uint32_t x, uint32_t y)
{
	return help_difference(help_lab(x), help_lab(y));
}

double help_apart_to_any(uint32_t x, uint32_t y)
{
	double least = INFINITY;
	for (enum help_eye eye = EYE_NORMAL; eye < EYES; eye++)
		least = fmin(least, help_difference(help_seen(x, eye), help_seen(y, eye)));
	return least;
}
