"""Who buys at the shop: names that collide on purpose, cities with their postcodes, streets, and what desks note."""

# Common names come first; the maker draws them more often, so that several people share one.
FIRST_NAMES = """Maria Anna Thomas Elena Peter Sofia Marco Laura Jonas Clara David Ines Lukas Nora Pablo Julia Emil
Marta Felix Irene Oscar Lena Hugo Silvia Anton Carla Victor Ida Simon Teresa""".split()
LAST_NAMES = """Silva Novak Weber Rossi Garcia Keller Moreau Lindqvist Costa Horvat Brandt Ferrari Lopez Virtanen Dubois
Marino Schulz Romero Kask Pereira""".split()

CITIES = {
    "Berlin": "10", "Hamburg": "20", "Munich": "80", "Cologne": "50", "Paris": "75", "Lyon": "69", "Madrid": "28",
    "Seville": "41", "Valencia": "46", "Rome": "00", "Milan": "20", "Turin": "10", "Helsinki": "00", "Zagreb": "10",
    "Tallinn": "11", "Lisbon": "12",
}  # fmt: skip
"""City → the first digits of its postcodes."""

STREETS = tuple(
    """Linden Avenue|Harbour Row|Church Lane|Meadow Road|Station Hill|Castle Walk|Bridge Lane|Park Row|Market Square
    |North Quay|Orchard Way|Abbey Road|Forest Hill|River Walk|School Lane|Tower Row""".replace("\n    ", "").split("|")
)

MAIL_HOSTS = ("example.org", "example.net", "example.com")

NOTES = (
    "Rang about a late parcel and was given the carrier's number.",
    "Prefers to be called in the afternoon.",
    "Asked whether we ship to islands; told them that we do.",
    "Was very pleased with the wrapping.",
    "Speaks German and English.",
    "Reported a doorbell that does not work.",
)
