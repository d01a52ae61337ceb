"""Generated data is the same everywhere, and varied enough to tell a right kernel from a wrong one."""

import numpy as np
import pytest

from utils import data


@pytest.mark.parametrize(("height", "width"), [(64, 96), (8, 8), (33, 50)])
def test_a_picture_has_the_asked_shape_and_type(height, width):
    image = data.picture(height, width)
    assert image.shape == (height, width, 3) and image.dtype == np.uint8


def test_a_seed_decides_every_pixel():
    np.testing.assert_array_equal(data.picture(seed=3), data.picture(seed=3))
    assert (data.picture(seed=3) != data.picture(seed=4)).any()


def test_a_picture_can_tell_channels_and_directions_apart():
    image = data.picture().astype(int)
    red, green, blue = np.moveaxis(image, 2, 0)
    assert (red != green).any() and (green != blue).any()
    assert (image != image[::-1]).any() and (image != image[:, ::-1]).any()
    assert image.min() < 40 and image.max() == 255


def test_the_sum_of_three_channels_does_not_fit_one_byte():
    """Does a kernel that adds bytes in a byte go wrong on this picture?"""
    assert (data.picture().astype(int).sum(axis=2) > 255).mean() > 0.5


def test_a_picture_too_small_to_paint_is_refused():
    with pytest.raises(ValueError, match="8 x 8"):
        data.picture(4, 96)
