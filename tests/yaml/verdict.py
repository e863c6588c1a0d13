"""Reads a JSON array of texts; prints for each null where ruamel.yaml composes it as YAML 1.2, else why not.

Composed and not constructed: keys that stand twice and tags are no matter of syntax.
"""

import json
import sys
import warnings

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError


def verdict(text):
    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 2)
    try:
        for _ in yaml.compose_all(text):
            pass
    except YAMLError as error:
        return str(getattr(error, "problem", None) or error)
    except Exception as error:  # a parser that stumbles has not accepted it
        return f"{type(error).__name__}: {error}"
    return None


# An anchor that is given again is valid.
warnings.simplefilter("ignore")
json.dump([verdict(text) for text in json.load(sys.stdin)], sys.stdout)
