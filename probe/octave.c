/* SPDX-License-Identifier: MIT */
#include "probe/octave.h"

#include <math.h>

#define LN2 0.693147180559945309417
#define SQRT_HALF 0.707106781186547524401

/* artanh's series: |@t| <= 0.172, so that the term after the last is < 1e-17 */
static double artanh(double t)
{
	double sum = 0;

	for (int k = 21; k > 0; k -= 2)
		sum = sum * t * t + 1.0 / k;
	return sum * t;
}

double hp_octave_log(double x)
{
	int exponent;
	double m;

	if (!(x > 0))
		return x == 0 ? -INFINITY : NAN;
	if (isinf(x))
		return x;
	m = frexp(x, &exponent);
	if (m < SQRT_HALF) {
		m *= 2;
		exponent--;
	}
	return exponent + 2 / LN2 * artanh((m - 1) / (m + 1));
}

double hp_octave_exp(double x)
{
	double sum = 1;
	int whole;

	if (isnan(x))
		return x;
	if (x >= 1024 || x <= -1075)
		return x > 0 ? INFINITY : 0;
	whole = (int)(x < 0 ? x - 0.5 : x + 0.5);
	/* |x - whole| <= 1/2: the term after the last is < 1e-17 */
	for (int k = 14; k > 0; k--)
		sum = 1 + sum * (x - whole) * LN2 / k;
	return ldexp(sum, whole);
}

double hp_octave_sqrt(double x)
{
	return hp_octave_exp(hp_octave_log(x) / 2);
}
