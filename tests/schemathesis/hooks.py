"""What Schemathesis has to know of Frontdesk beside /openapi.json."""

import itertools
import json
import os
import re

import schemathesis
from hypothesis import strategies

# Numbers that exist: libphonenumber knows no others.
schemathesis.openapi.format(
    "phone", strategies.integers(1_000_000, 9_999_999).map(lambda number: f"+4930{number}")
)

# What is wrong with a well-formed request, where no schema can say it: only records and calendars can.
BEYOND_SCHEMAS = [
    r"The selected \w+ is invalid\.",
    r"The \w+ field must be a date from 1900-01-01 to 2999-12-31\.",
    r"The cursor field was made for another list, .*",
    r"The after field must be a cursor of this feed, or latest\..*",
    r"The date_to field must .*",
    r"The to_time field must be after (from_time\.|00:00; .*)",
    r"The appointment_time field must be one of the offered slots\.",
    r"The to_date field must not be before from_date\.",
    r"The phone has already been taken\.",
    r"The phone field must be a phone number\.",
    # The format allows forms that no mail server has, such as quoted names.
    r"The email field must be an e-mail address\.",
    r"The url field .*",
    r"The headers field must .*",
    r"The endpoint lacks the scope .*",
    r"There are already 100 endpoints, .*",
    r"The endpoint is (paused|disabled)\. .*",
    r"The delivery is already pending .*",
    r"The secret was replaced less than a day ago, .*",
    r"This Idempotency-Key was used with another request body or query\.",
]

REQUESTS = itertools.count()

# Nobody guesses the id of a hold: those that the test has made, and those that requests make.
HOLDS = [int(id) for id in os.environ["HOLDS"].split()]
HOLD_PATHS = "/api/v1/holds/{id}"


@schemathesis.hook
def before_call(context, case, kwargs):
    # Each from an address of its own, as trusted proxies report it: an address may try 60 wrong keys a minute.
    number = next(REQUESTS)
    address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    # Schemathesis takes X-Request-Id for the id of a record and sends it as a number.
    texts = {name: str(value) for name, value in (case.headers or {}).items()}
    case.headers = {**texts, "X-Forwarded-For": address}
    if case.operation.path.startswith(HOLD_PATHS) and is_id(case.path_parameters.get("id")):
        case.path_parameters = {**case.path_parameters, "id": HOLDS[number % len(HOLDS)]}


def is_id(value):
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


@schemathesis.hook
def after_call(context, case, response):
    if case.operation.path == "/api/v1/holds" and response.status_code == 201:
        HOLDS.append(json.loads(response.content)["data"]["id"])


@schemathesis.hook
def filter_failure(context, failure, case, response):
    if type(failure).__name__ != "RejectedPositiveData" or response.status_code != 422:
        return True
    answer = json.loads(response.content)
    # A key may have only so many open holds, whatever is sent.
    if answer["code"] in ("too_much_asked", "quota_exceeded"):
        return False
    messages = [message for field in answer.get("errors", {}).values() for message in field]
    return not messages or not all(
        any(re.fullmatch(pattern, message) for pattern in BEYOND_SCHEMAS) for message in messages
    )
