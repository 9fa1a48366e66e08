"""As much of torch as README.md uses, on NumPy, so that what it says can be run where there is no torch."""
import numpy


class Tensor:
    def __init__(self, values):
        self.values = numpy.asarray(values, dtype=numpy.float32)

    def detach(self):
        return self

    def numpy(self):
        return self.values


def stack(tensors):
    return Tensor(numpy.stack([t.values for t in tensors]))
