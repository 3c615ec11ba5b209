"""The rules of the QUASI_IDENTIFIER and SENSITIVE categories: what describes a person.

Room: embedded (classification). Pure data, one rule per category, in the order that breaks ties.
Towns and regions of countries that the manual does not list are recognised without a subcategory.

Snowflake: Native semantic categories of sensitive data classification > Quasi-identifiers;
Sensitive information.
"""

from __future__ import annotations

from skills_nb.embedded.classification import national, people, places, registration
from skills_nb.embedded.classification.rule import (
    DATES,
    PLAUSIBLE,
    QUASI_IDENTIFIER,
    SENSITIVE,
    SUGGESTIVE,
    TEXT,
    TEXT_OR_NUMBER,
    Check,
    Rule,
)

ATTRIBUTES: tuple[Rule, ...] = (
    Rule(
        "TAX_IDENTIFIER",
        QUASI_IDENTIFIER,
        TEXT_OR_NUMBER,
        (
            Check(
                registration.EMPLOYER_IDENTIFICATION_NUMBER,
                SUGGESTIVE,
                "EMPLOYER_IDENTIFICATION_NUMBER",
            ),
            Check(national.shaped(r"\d{9}"), PLAUSIBLE, "EMPLOYER_IDENTIFICATION_NUMBER"),
        ),
        "ein employeridentificationnumber fein",
        "employerid",
        needs_name=True,
    ),
    Rule(
        "DATE_OF_BIRTH",
        QUASI_IDENTIFIER,
        DATES,
        (Check(people.is_birth_date, PLAUSIBLE),),
        "dateofbirth birthdate dob birthday birthdt bday geburtsdatum geburtstag "
        "datedenaissance datenaissance fechadenacimiento fechanacimiento dateofbirthday "
        "生年月日 誕生日",
        "born birth",
        needs_name=True,
    ),
    Rule(
        "YEAR_OF_BIRTH",
        QUASI_IDENTIFIER,
        TEXT_OR_NUMBER,
        (Check(people.is_birth_year, PLAUSIBLE),),
        "yearofbirth birthyear yob geburtsjahr anneedenaissance anodenacimiento 生年",
        "",
        "birth born",
        needs_name=True,
    ),
    Rule(
        "AGE",
        QUASI_IDENTIFIER,
        TEXT_OR_NUMBER,
        (Check(people.is_age, SUGGESTIVE),),
        "ageyears ageinyears personage customerage patientage lebensalter",
        "age alter edad 年齢",
        needs_name=True,
    ),
    Rule(
        "GENDER",
        QUASI_IDENTIFIER,
        TEXT_OR_NUMBER,
        (
            Check(people.is_gender, SUGGESTIVE),
            Check(people.could_be_gender, PLAUSIBLE),
        ),
        "gender gendercode genderidentity geschlecht sexe sexo sexcode 性別",
        "sex",
    ),
    Rule(
        "MARITAL_STATUS",
        QUASI_IDENTIFIER,
        TEXT,
        (
            Check(people.is_marital_status, SUGGESTIVE),
            Check(people.could_be_marital_status, PLAUSIBLE),
        ),
        "maritalstatus marital maritalstatuscode familienstand etatcivil situationfamiliale "
        "estadocivil civilstatus 婚姻状況",
        "relationshipstatus married",
        needs_name=True,
    ),
    Rule(
        "ETHNICITY",
        QUASI_IDENTIFIER,
        TEXT,
        (
            Check(people.is_ethnicity, SUGGESTIVE),
            Check(people.could_be_phrase, PLAUSIBLE),
        ),
        "ethnicity ethnicgroup ethnicorigin ethniccode ethnicbackground etnia ethnie",
        "race raceethnicity ethnic",
        needs_name=True,
    ),
    Rule(
        "OCCUPATION",
        QUASI_IDENTIFIER,
        TEXT,
        (
            Check(people.is_occupation, SUGGESTIVE),
            Check(people.could_be_phrase, PLAUSIBLE),
        ),
        "occupation profession jobtitle beruf berufsbezeichnung metier ocupacion profesion 職業 "
        "職種",
        "jobrole jobposition vocation",
        "job position title titel role",
        needs_name=True,
    ),
    Rule(
        "COUNTRY",
        QUASI_IDENTIFIER,
        TEXT,
        (
            Check(places.is_country, SUGGESTIVE),
            Check(places.is_country_code, PLAUSIBLE),
        ),
        "country countryname countrycode countryofresidence countryofbirth citizenship "
        "nationality isocountrycode isocountry staatsangehorigkeit pays pais 国 国籍",
        "nation land staat countryid",
        "location",
    ),
    Rule(
        "ADMINISTRATIVE_AREA_1",
        QUASI_IDENTIFIER,
        TEXT,
        (
            Check(places.is_us_state, SUGGESTIVE, "US_STATE_OR_TERRITORY"),
            Check(places.is_us_state_code, SUGGESTIVE, "US_STATE_OR_TERRITORY"),
            Check(places.is_ca_province, SUGGESTIVE, "CA_PROVINCE_OR_TERRITORY"),
            Check(places.is_ca_province_code, SUGGESTIVE, "CA_PROVINCE_OR_TERRITORY"),
            Check(places.is_nz_region, SUGGESTIVE, "NZ_REGION"),
            Check(places.is_other_region, SUGGESTIVE),
        ),
        "stateprovince stateorprovince usstate statename bundesland prefecture 都道府県 "
        "administrativearea1 homestate",
        "province statecode provincecode provincia",
        "state region",
        needs_name=True,
    ),
    Rule(
        "ADMINISTRATIVE_AREA_2",
        QUASI_IDENTIFIER,
        TEXT,
        (
            Check(places.is_us_county, SUGGESTIVE, "US_COUNTY"),
            Check(places.could_be_place, PLAUSIBLE, "US_COUNTY"),
        ),
        "county countyname uscounty administrativearea2",
        "parish",
    ),
    Rule(
        "CITY",
        QUASI_IDENTIFIER,
        TEXT,
        (
            Check(places.is_us_city, SUGGESTIVE, "US_CITY"),
            Check(places.is_ca_city, SUGGESTIVE, "CA_CITY"),
            Check(places.is_nz_city, SUGGESTIVE, "NZ_CITY"),
            Check(places.is_world_city, SUGGESTIVE),
            Check(places.could_be_place, PLAUSIBLE),
        ),
        "cityname homecity cityofresidence cityofbirth placeofbirth geburtsort wohnort 市区町村",
        "city town stadt ort ville ciudad municipality 市",
        "location",
        needs_name=True,
    ),
    Rule(
        "POSTAL_CODE",
        QUASI_IDENTIFIER,
        TEXT_OR_NUMBER,
        (
            *(
                Check(accepts, PLAUSIBLE, f"{country}_POSTAL_CODE")
                for country, accepts in places.POSTAL_CODES.items()
            ),
            Check(places.could_be_postal_code, PLAUSIBLE),
        ),
        "postalcode postcode zipcode zip plz postleitzahl codepostal codigopostal zip5 郵便番号",
        "postal cap",
        needs_name=True,
    ),
    Rule(
        "LAT_LONG",
        QUASI_IDENTIFIER,
        TEXT,
        (Check(places.is_coordinate_pair, SUGGESTIVE),),
        "latlong latlon latlng latitudelongitude coordinates gpscoordinates geocoordinates "
        "koordinaten",
        "geolocation geopoint gps",
        "location",
    ),
    Rule(
        "LATITUDE",
        QUASI_IDENTIFIER,
        TEXT_OR_NUMBER,
        (Check(places.is_latitude, PLAUSIBLE),),
        "latitude lat gpslatitude geolatitude breitengrad 緯度",
        "gpslat geolat",
        needs_name=True,
    ),
    Rule(
        "LONGITUDE",
        QUASI_IDENTIFIER,
        TEXT_OR_NUMBER,
        (Check(places.is_longitude, PLAUSIBLE),),
        "longitude lon lng gpslongitude geolongitude langengrad 経度",
        "long gpslon gpslng geolon",
        needs_name=True,
    ),
    Rule(
        "SALARY",
        SENSITIVE,
        TEXT_OR_NUMBER,
        (Check(people.is_salary, PLAUSIBLE),),
        "salary annualsalary monthlysalary basesalary grosssalary netsalary salaryamount "
        "salaryusd salaryeur gehalt jahresgehalt monatsgehalt lohn bruttogehalt salaire salario "
        "給与 年収",
        "wage wages income annualincome compensation earnings takehomepay basepay einkommen",
        "pay",
        needs_name=True,
    ),
)
