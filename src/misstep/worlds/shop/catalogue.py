"""What the shop sells: a line a product, with its price and the colours and sizes that it comes in."""

from msgspec import Struct

COLOURS = ("red", "blue", "green", "black", "white", "grey", "yellow")
SIZES = ("small", "medium", "large")

_LINES = """
electric kettle    | 39.90 | red blue black white     |
stovetop kettle    | 29.90 | red green white          |
toaster            | 44.50 | red black white          |
coffee grinder     | 52.00 | black grey               |
frying pan         | 34.90 | black red                | small medium large
saucepan           | 27.50 | black grey               | small medium large
casserole          | 64.00 | red blue green           | medium large
bread bin          | 31.00 | white green grey         |
mixing bowl        | 18.50 | blue white yellow        | small medium large
chopping board     | 22.00 | green white              | small large
pepper mill        | 16.90 | black white red          |
teapot             | 26.40 | blue green white         |
mug                |  9.50 | red blue green yellow    |
water bottle       | 19.90 | blue black green         | small large
lunch box          | 14.90 | red blue yellow          |
baking tray        | 13.50 | black grey               | medium large
measuring jug      | 11.20 | white blue               |
apron              | 21.00 | blue grey red            |
oven glove         | 12.90 | red blue black           |
salad spinner      | 24.00 | white green              |
desk lamp          | 48.00 | black white yellow blue  |
floor lamp         | 89.00 | black white              |
bedside lamp       | 36.50 | blue white grey          |
lantern            | 28.00 | black green              | small large
linen cushion      | 23.90 | blue green grey red      |
wool blanket       | 74.00 | grey blue green          |
bath towel         | 17.50 | white blue grey          | medium large
bath mat           | 19.00 | white blue green         |
duvet cover        | 58.00 | white blue grey          | small medium large
pillowcase         | 12.00 | white blue grey          |
curtain            | 46.00 | white grey green         | medium large
rug                | 99.00 | red blue grey            | small medium large
tablecloth         | 32.00 | white green blue         | medium large
wicker basket      | 27.00 | white black              | small medium large
storage crate      | 21.50 | blue grey yellow         | small large
laundry hamper     | 38.00 | white grey               |
coat hook          |  8.90 | black white red          |
shoe rack          | 42.00 | black white              |
wall shelf         | 35.00 | black white grey         | small large
magazine stand     | 29.00 | black white              |
plant pot          | 15.50 | green white grey         | small medium large
garden chair       | 69.00 | green white blue         |
bird feeder        | 20.50 | green red                |
hammock            | 79.00 | blue red yellow          |
parasol            | 84.00 | green blue white         |
raincoat           | 66.00 | yellow blue black        | small medium large
wool scarf         | 33.00 | grey red blue            |
cotton cap         | 18.00 | black blue white         |
slippers           | 25.00 | grey blue red            | small medium large
dressing gown      | 54.00 | white blue grey          | small medium large
rucksack           | 72.00 | black blue green         | small large
umbrella           | 30.00 | black blue red           |
wall clock         | 37.00 | black white red          |
alarm clock        | 24.50 | black white blue         |
picture frame      | 16.00 | black white              | small medium large
mirror             | 61.00 | black white              | small large
candle holder      | 14.00 | black white green        |
vase               | 26.00 | blue white green         | small large
doorstop           | 10.50 | black grey               |
notebook           |  7.90 | red blue black green     |
yoga mat           | 31.50 | blue green black         |
travel flask       | 23.00 | black blue red           |
"""


class Product(Struct, frozen=True):
    title: str
    price: float
    colours: tuple[str, ...]
    sizes: tuple[str | None, ...]


def products() -> tuple[Product, ...]:
    """Every product, in a fixed order."""
    return tuple(_product(line) for line in _LINES.strip().splitlines())


def _product(line: str) -> Product:
    title, price, colours, sizes = (part.strip() for part in line.split("|"))
    return Product(title, float(price), tuple(colours.split()), tuple(sizes.split()) or (None,))
