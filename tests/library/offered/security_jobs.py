"""What somebody says to get each plan about rights, policies, tags, people, logins and shares."""

from __future__ import annotations

from collections.abc import Mapping

from tests.library.offered.jobs import LAB, Job

_TAG = "CREATE TAG CLINIC.RAW.SENSITIVITY ALLOWED_VALUES 'low', 'high';"
_TAGGED = (
    _TAG + "ALTER TABLE CLINIC.RAW.PATIENTS MODIFY COLUMN EMAIL SET TAG"
    " CLINIC.RAW.SENSITIVITY = 'high';"
)
_TAG_MASKS = (
    _TAGGED + "CREATE MASKING POLICY CLINIC.RAW.HIDE AS (val STRING) RETURNS STRING -> '***';"
    "ALTER TAG CLINIC.RAW.SENSITIVITY SET MASKING POLICY CLINIC.RAW.HIDE;"
)
_MASKED = (
    "CREATE MASKING POLICY CLINIC.RAW.HIDE AS (val STRING) RETURNS STRING -> '***';"
    "ALTER TABLE CLINIC.RAW.PATIENTS MODIFY COLUMN EMAIL SET MASKING POLICY CLINIC.RAW.HIDE;"
)
_FILTERED = (
    'CREATE ROW ACCESS POLICY CLINIC."lab work"."own rows" AS (val STRING) RETURNS BOOLEAN ->'
    " IS_ROLE_IN_SESSION('NURSE');"
    f'ALTER TABLE {LAB} ADD ROW ACCESS POLICY CLINIC."lab work"."own rows" ON ("Result");'
)
_KEPT_BACK = (
    "CREATE PROJECTION POLICY CLINIC.RAW.KEPT AS () RETURNS PROJECTION_CONSTRAINT ->"
    " PROJECTION_CONSTRAINT(ALLOW => FALSE);"
    "ALTER TABLE CLINIC.RAW.PATIENTS MODIFY COLUMN EMAIL SET PROJECTION POLICY CLINIC.RAW.KEPT;"
)
_GROUPED = (
    "CREATE AGGREGATION POLICY CLINIC.RAW.GROUPS AS () RETURNS AGGREGATION_CONSTRAINT ->"
    " AGGREGATION_CONSTRAINT(MIN_GROUP_SIZE => 5);"
    "ALTER TABLE CLINIC.RAW.VISITS SET AGGREGATION POLICY CLINIC.RAW.GROUPS;"
)
_READS = (
    "GRANT USAGE ON DATABASE CLINIC TO ROLE NURSE; GRANT USAGE ON SCHEMA CLINIC.RAW TO ROLE NURSE;"
    "GRANT SELECT ON TABLE CLINIC.RAW.PATIENTS TO ROLE NURSE;"
)
_HAS_ROLE = "GRANT ROLE NURSE TO USER JOAN;"
_SHARE = (
    "CREATE SHARE CLINIC_SHARE; GRANT USAGE ON DATABASE CLINIC TO SHARE CLINIC_SHARE;"
    "GRANT USAGE ON SCHEMA CLINIC.RAW TO SHARE CLINIC_SHARE;"
    "GRANT SELECT ON TABLE CLINIC.RAW.VISITS TO SHARE CLINIC_SHARE;"
)
_FROM_HERE = (
    "CREATE NETWORK POLICY OFFICE_ONLY ALLOWED_IP_LIST = ('203.0.113.0/24');"
    "ALTER USER JOAN SET NETWORK_POLICY = OFFICE_ONLY;"
)
_KEY = (
    "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA3nBzzQ0+WovPYV+6s94qUKRRiTBlZoRG3QYB"
    "CPBDGryQri7ndAE8vf23WSR7GSX7HVjD/0O+rH+xkJ5aTU1KUsz7JAFY4L7WsqdRXcW2IgM01ny5dl4z"
    "6I8ejufd55ECufNw0YppsBtBEwyKNUbtzQ5YuKiTK6BIyf5J0TLE1Jv/rW7WkYX2gytTdaBXer0YaC44"
    "/NscjypYhlmGLxzOh80w9rNJyshoJNthqnHo2mkKycW92WyFKKn4JLlBkJAzu6MmwRK+xdnsumHryrWG"
    "Q+FxLU8eV0PGSjCIObV1PNPfknvvLiziYPis90zwETP2tEUHHIuoD2JKTX+cnNc5uQIDAQAB"
)
_SEES_ALL = {"clear_role": "RESEARCHER"}

JOBS: Mapping[tuple[str, str], Job] = {
    ("row-access-policies", "Let a role see some rows only"): Job(
        "role NURSE may only see rows of CLINIC.RAW.VISITS by WARD",
        {"values": "A, C", **_SEES_ALL},
    ),
    ("row-access-policies", "Show the policies of a table"): Job(
        f"which policies are on {LAB}", setup=_FILTERED
    ),
    ("row-access-policies", "Stop filtering the rows of a table"): Job(
        f"remove the row access policy from {LAB}", setup=_FILTERED
    ),
    ("object-tagging", "Create a tag"): Job('create a tag CLINIC."lab work"."kind of data"'),
    ("object-tagging", "Create a tag with a list of values"): Job(
        "create a tag CLINIC.RAW.SENSITIVITY with allowed values", {"values": "low, very high"}
    ),
    ("object-tagging", "Tag a column or a table"): Job(
        "tag the EMAIL of CLINIC.RAW.PATIENTS", {"value": "high"}, setup=_TAG
    ),
    ("object-tagging", "Show the tags of a table"): Job(
        "show the tags of CLINIC.RAW.PATIENTS", setup=_TAGGED
    ),
    ("object-tagging", "Show what has a tag"): Job(
        "show everything with tag CLINIC.RAW.SENSITIVITY", setup=_TAGGED
    ),
    ("object-tagging", "Take a tag off"): Job(
        "remove the tag from EMAIL in CLINIC.RAW.PATIENTS", setup=_TAGGED
    ),
    ("tag-based-masking", "Mask what has a tag"): Job(
        "mask everything with tag CLINIC.RAW.SENSITIVITY", _SEES_ALL, setup=_TAGGED
    ),
    ("tag-based-masking", "Show how a tag masks"): Job(
        "show the masking policies of tag CLINIC.RAW.SENSITIVITY", setup=_TAG_MASKS
    ),
    ("tag-based-masking", "Show how tags mask a table"): Job(
        "list the columns of CLINIC.RAW.PATIENTS that are masked by tags", setup=_TAG_MASKS
    ),
    ("projection-policies", "Keep a column out of results"): Job(
        'set a projection policy on "test id" of ' + LAB, _SEES_ALL
    ),
    ("projection-policies", "Show projection policies of a table"): Job(
        "show the projection policies on CLINIC.RAW.PATIENTS", setup=_KEPT_BACK
    ),
    ("projection-policies", "Let a column be selected again"): Job(
        "remove the projection policy from EMAIL in CLINIC.RAW.PATIENTS", setup=_KEPT_BACK
    ),
    ("aggregation-policies", "Set a minimum group size"): Job(
        f"set a minimum group size of 3 on {LAB}", _SEES_ALL
    ),
    ("aggregation-policies", "Show the aggregation policy of a table"): Job(
        "show the aggregation policy of CLINIC.RAW.VISITS", setup=_GROUPED
    ),
    ("aggregation-policies", "Allow queries on single rows again"): Job(
        "remove the aggregation policy from CLINIC.RAW.VISITS", setup=_GROUPED
    ),
    ("masking-policies", "Take a mask off"): Job(
        "unmask EMAIL in CLINIC.RAW.PATIENTS", setup=_MASKED
    ),
    ("masking-policies", "Show what is masked in a schema"): Job(
        "show the masked columns in schema CLINIC.RAW", setup=_MASKED
    ),
    ("roles-and-grants", "Create a role"): Job('create role "Night Nurse"'),
    ("roles-and-grants", "Grant a role to a user"): Job("grant role NURSE to user JOAN"),
    ("roles-and-grants", "Take a role from a user"): Job(
        "revoke role NURSE from user JOAN", setup=_HAS_ROLE
    ),
    ("roles-and-grants", "Drop a role"): Job("drop role NURSE", setup=_HAS_ROLE, leaves=("NURSE",)),
    ("roles-and-grants", "Take away the right to read a table"): Job(
        "take read access to CLINIC.RAW.PATIENTS away from role NURSE", setup=_READS
    ),
    ("roles-and-grants", "Let a role read a whole schema"): Job(
        'let role NURSE read all tables in schema CLINIC."lab work", future ones too',
        leaves=("grant SELECT to ROLE NURSE",),
    ),
    ("roles-and-grants", "Show what a role may do"): Job(
        "show the grants of role NURSE", setup=_READS
    ),
    ("roles-and-grants", "Show the roles of a user"): Job(
        "which roles does user JOAN have", setup=_HAS_ROLE
    ),
    ("roles-and-grants", "Show who has a role"): Job("who has role NURSE", setup=_HAS_ROLE),
    ("users-and-authentication", "Create a user for a person"): Job(
        "create user MARIA with role NURSE", {"email": "maria@clinic.org"}
    ),
    ("users-and-authentication", "Create a service user with a public key"): Job(
        "create a service user LOADER with a public key and role RESEARCHER", {"public_key": _KEY}
    ),
    ("users-and-authentication", "Disable a user"): Job("disable user JOAN"),
    ("users-and-authentication", "Enable a user again"): Job(
        "enable user JOAN again", setup="ALTER USER JOAN SET DISABLED = TRUE;"
    ),
    ("users-and-authentication", "Drop a user"): Job(
        "drop user JOAN", setup=_HAS_ROLE, leaves=("JOAN",)
    ),
    ("users-and-authentication", "Show a user"): Job("show user JOAN", setup=_HAS_ROLE),
    ("users-and-authentication", "Set up single sign-on"): Job(
        "set up single sign-on",
        {
            "provider": "OKTA",
            "issuer": "https://clinic.okta.com/saml",
            "sso_url": "https://clinic.okta.com/sso",
            "certificate": _KEY,
        },
    ),
    ("users-and-authentication", "Provision users by SCIM"): Job(
        "provision users by SCIM", {"client": "OKTA", "runs_as": "OKTA_PROVISIONER"}
    ),
    ("network-policies", "Let a user connect from one network only"): Job(
        "restrict user JOAN to the office network, with a rule in schema CLINIC.RAW",
        {"network": "203.0.113.0/24"},
    ),
    ("network-policies", "Show network policies"): Job("show network policies"),
    ("network-policies", "Let a user connect from anywhere again"): Job(
        "remove the network policy from user JOAN", setup=_FROM_HERE
    ),
    ("data-classification", "Classify a table"): Job("classify CLINIC.RAW.PATIENTS"),
    ("data-classification", "Classify a table and tag its columns"): Job(
        "classify CLINIC.RAW.PATIENTS and tag the columns", leaves=("SNOWFLAKE.CORE",)
    ),
    ("data-classification", "Show how a table was classified"): Job(
        "show the classification result of CLINIC.RAW.PATIENTS",
        setup="CALL SYSTEM$CLASSIFY('CLINIC.RAW.PATIENTS', NULL);",
    ),
    ("account-usage-views", "Show who read a table"): Job(
        "show the access history of CLINIC.RAW.PATIENTS for 14 days"
    ),
    ("account-usage-views", "Show failed logins"): Job("show the failed logins of user JOAN"),
    ("account-usage-views", "Show what a user did"): Job(
        "show the queries of user JOAN in the last 3 days"
    ),
    ("secure-data-sharing", "Create a share with a table"): Job(
        f'create a share "Lab Results" with {LAB}'
    ),
    ("secure-data-sharing", "Add an account to a share"): Job(
        "add account PARTNER_ORG.LAB to share CLINIC_SHARE", setup=_SHARE
    ),
    ("secure-data-sharing", "Show our shares"): Job("show our shares", setup=_SHARE),
    ("secure-data-sharing", "Show what a share holds"): Job(
        "show what share CLINIC_SHARE holds", setup=_SHARE
    ),
    ("secure-data-sharing", "Take a table out of a share"): Job(
        "remove CLINIC.RAW.VISITS from share CLINIC_SHARE", setup=_SHARE
    ),
}
