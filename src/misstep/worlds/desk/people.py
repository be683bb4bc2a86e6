"""Whom the desk's person knows: names that collide on purpose, companies, and the places where people meet."""

FIRST_NAMES = """Hanna Tomas Greta Milan Rosa Edgar Vera Pavel Lucia Bruno Agnes Mateo Karin Ruben Tilda Oskar Elsa
Nadia Jakob Paula""".split()
LAST_NAMES = """Berger Novotny Almeida Fischer Ricci Solberg Vidal Kovacs Lindholm Marchetti Duarte Hofer Jansen Petrov
Salo Werner""".split()

COMPANIES = {
    "Brightwater Studio": "brightwater.example",
    "Northgate Press": "northgate.example",
    "Olive and Finch": "olivefinch.example",
    "Harrow Labs": "harrowlabs.example",
    "Tidewell Bank": "tidewell.example",
    "Maple Street School": "maplestreet.example",
    "Quarry Hill Council": "quarryhill.example",
}
"""Company → the domain of its addresses."""

ROOMS = ("office", "blue room", "garden room", "cafe Lumen", "library", "phone", "lab two")

MEETINGS = (
    "budget review", "roof repair", "choir rehearsal", "reading circle", "hiring interview", "museum visit",
    "garden plans", "tax advice", "festival planning", "brochure proofs", "bicycle workshop", "dentist",
    "piano lesson", "website relaunch", "supplier audit", "team breakfast", "lease renewal", "harvest dinner",
    "translation check", "boiler inspection",
)  # fmt: skip

TASKS = (
    "Water the balcony plants", "Renew the library card", "Order printer paper", "Scan the old contracts",
    "Buy a birthday present for Agnes", "Book the train to Graz", "Check the smoke alarms", "Return the ladder",
    "Update the price list", "Ring the plumber", "Proofread the brochure", "Send the slides to the choir",
    "Clean the bicycle", "Compare heating offers", "Sort the holiday pictures", "Measure the kitchen window",
    "Cancel the old newspaper", "Collect the parcel", "Plan the harvest dinner", "Learn the second verse",
)  # fmt: skip

ACCOUNTS = (
    ("wifi at home", "router.example"), ("online bank", "tidewell.example"), ("electricity", "voltara.example"),
    ("library", "quarryhill.example"), ("train tickets", "railpoint.example"), ("payroll", "brightwater.example"),
    ("photo storage", "cloudbarn.example"), ("code hosting", "forgeplace.example"), ("newspaper", "northgate.example"),
    ("streaming", "lanternplay.example"), ("insurance", "safelark.example"), ("phone contract", "hellobee.example"),
    ("school portal", "maplestreet.example"), ("tax office", "revenue.example"), ("gym", "ironleaf.example"),
    ("music shop", "fiddlehead.example"), ("garden centre", "greenspade.example"), ("doctor", "medline.example"),
    ("domain names", "namewell.example"), ("backup server", "harrowlabs.example"), ("old bank", "tidewell.example"),
    ("parking", "kerbside.example"), ("alarm system", "nightwatch.example"), ("guest wifi", "router.example"),
    ("choir website", "choir.example"),
)  # fmt: skip
"""What the vault has an entry for, and the site. Some belong to one site, so that a site alone does not say which."""
