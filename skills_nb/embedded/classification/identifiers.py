"""The rules of the IDENTIFIER categories: what singles a person or an entity out by itself.

Room: embedded (classification). Pure data, one rule per category, in the order that breaks ties.
Beyond the manual, and ours: the subcategories BR_CPF, CH_AHV_NUMBER and JP_INDIVIDUAL_NUMBER;
addresses and phones of countries that the manual does not list are recognised without one.

Snowflake: Native semantic categories of sensitive data classification > Identifiers.
"""

from __future__ import annotations

from skills_nb.embedded.classification import (
    contact,
    documents,
    national,
    people,
    places,
    registration,
)
from skills_nb.embedded.classification.rule import (
    DISTINCTIVE,
    IDENTIFIER,
    PLAUSIBLE,
    SUGGESTIVE,
    TEXT,
    TEXT_OR_NUMBER,
    Check,
    Rule,
)


def _by_country(suffix: str, shapes: dict[str, str]) -> tuple[Check, ...]:
    return tuple(
        Check(national.shaped(shape), PLAUSIBLE, f"{country}_{suffix}")
        for country, shape in shapes.items()
    )


_NATIONAL_CHECKS = (
    *(Check(accepts, DISTINCTIVE, name) for name, accepts in national.NUMBERS.items()),
    Check(national.BALTIC_PERSONAL_CODE, DISTINCTIVE, "EE_PERSONAL_IDENTIFICATION_CODE"),
    Check(national.BALTIC_PERSONAL_CODE, DISTINCTIVE, "LT_PERSONAL_CODE"),
    Check(
        national.LU_PERSON,
        DISTINCTIVE,
        "LU_NATIONAL_IDENTIFICATION_NUMBER_NATURAL_PERSONS",
    ),
    Check(national.UK_NATIONAL_INSURANCE_NUMBER, SUGGESTIVE, "UK_NATIONAL_INSURANCE_NUMBER"),
    Check(national.US_SSN_DASHED, SUGGESTIVE, "US_SSN"),
    Check(national.US_SSN, PLAUSIBLE, "US_SSN"),
    Check(national.IN_PAN, SUGGESTIVE, "IN_PAN"),
    *(
        Check(national.shaped(shape), PLAUSIBLE, name)
        for name, shape in (
            ("AT_IDENTITY_CARD", r"[A-Z]{1,2}\d{7}"),
            ("CY_IDENTITY_CARD", r"\d{7,10}"),
            ("DK_PERSONAL_IDENTIFICATION_NUMBER", r"\d{6}-?\d{4}"),
            ("FR_CNI", r"\d{12}|[A-Z\d]{2}[A-Z]{2}\d{5}"),
            ("GR_NATIONAL_IDENTITY_CARD", r"[A-Z]{1,2}-?\d{6}"),
            ("IN_VOTER_ID", r"[A-Z]{3}\d{7}"),
            ("LU_NATIONAL_IDENTIFICATION_NUMBER_NON_NATURAL_PERSONS", r"(?:19|20)\d{9}"),
            ("MT_IDENTITY_CARD", r"\d{3,7}[MGAPLHBZ]"),
            ("NZ_STUDENT_NUMBER", r"\d{9,10}"),
            ("SK_PERSONAL_NUMBER", r"\d{6}/?\d{3,4}"),
            ("ES_SSN", r"\d{2}/?\d{8}/?\d{2}"),
        )
    ),
)

_TAX_CHECKS = (
    *(Check(accepts, DISTINCTIVE, name) for name, accepts in registration.TAX.items()),
    Check(registration.US_TAX_IDENTIFIER, SUGGESTIVE, "US_TAX_IDENTIFIER"),
    Check(registration.CY_TAX_ID_NUMBER, PLAUSIBLE, "CY_TAX_ID_NUMBER"),
    Check(registration.MT_TAX_ID_NUMBER, PLAUSIBLE, "MT_TAX_ID_NUMBER"),
)

IDENTIFIERS: tuple[Rule, ...] = (
    Rule(
        "EMAIL",
        IDENTIFIER,
        TEXT,
        (Check(contact.is_email, DISTINCTIVE),),
        "email emailaddress emailaddr emailid mailaddress emails courriel correo "
        "correoelectronico emailadresse mailadresse メールアドレス メール",
        "mail",
        "contact login username",
    ),
    Rule(
        "PAYMENT_CARD",
        IDENTIFIER,
        TEXT_OR_NUMBER,
        (Check(contact.PAYMENT_CARD, DISTINCTIVE),),
        "creditcard creditcardnumber creditcardno cardnumber ccnumber ccnum paymentcard "
        "debitcard debitcardnumber kreditkarte kreditkartennummer cartebancaire "
        "tarjetadecredito クレジットカード番号 カード番号",
        "card cc pan primaryaccountnumber",
        "",
    ),
    Rule(
        "BANK_ACCOUNT",
        IDENTIFIER,
        TEXT_OR_NUMBER,
        (
            Check(contact.IBAN, DISTINCTIVE, "IBAN"),
            Check(contact.NZ_BANK_ACCOUNT, PLAUSIBLE, "NZ_BANK_ACCOUNT"),
            Check(contact.CA_BANK_ACCOUNT, PLAUSIBLE, "CA_BANK_ACCOUNT"),
            Check(contact.US_BANK_ACCOUNT, PLAUSIBLE, "US_BANK_ACCOUNT"),
        ),
        "iban ibannumber bankaccount bankacct bankaccountnumber bankaccountno bankkonto "
        "kontonummer bankverbindung cuentabancaria comptebancaire 口座番号",
        "checkingaccount savingsaccount",
        "account accountnumber accountno acct acctno konto",
    ),
    Rule(
        "NATIONAL_IDENTIFIER",
        IDENTIFIER,
        TEXT_OR_NUMBER,
        _NATIONAL_CHECKS,
        "ssn socialsecurity socsecno "
        "socialsecuritynumber socialinsurancenumber nationalid "
        "nationalidnumber nationalidentifier nationalidentificationnumber "
        "nationalidentitynumber nationalinsurance nationalinsurancenumber nino aadhaar aadhar "
        "pesel personnummer cpf insee numerosecuritesociale numeroinsee dninumber "
        "personalausweis personalausweisnummer sozialversicherungsnummer ahvnummer bsn "
        "burgerservicenummer nric cnp hetu mynumber マイナンバー 個人番号",
        "sin dni nie nif identitycard identitycardnumber idcard idcardnumber personalid govid "
        "governmentid citizenid socialinsurance identitynumber",
        "idnumber",
    ),
    Rule(
        "TAX_IDENTIFIER",
        IDENTIFIER,
        TEXT_OR_NUMBER,
        _TAX_CHECKS,
        "taxid taxidnumber taxidentifier taxidentificationnumber taxpayerid taxpayernumber itin "
        "tfn taxfilenumber steuerid steueridentifikationsnummer steueridnummer idnr "
        "codicefiscale fiscalcode irdnumber gstin gstnumber numerofiscal",
        "taxnumber steuernummer tin nip gst vatid vatnumber ustid",
        "",
    ),
    Rule(
        "PASSPORT",
        IDENTIFIER,
        TEXT_OR_NUMBER,
        _by_country("PASSPORT", documents.PASSPORTS),
        "passport passportnumber passportno passportid reisepass reisepassnummer passeport "
        "numeropasseport pasaporte パスポート番号",
        "passnummer traveldocument traveldocumentnumber",
        needs_name=True,
    ),
    Rule(
        "DRIVERS_LICENSE",
        IDENTIFIER,
        TEXT_OR_NUMBER,
        _by_country("DRIVERS_LICENSE", documents.LICENCES),
        "driverslicense driverlicense driverslicence driverlicence drivinglicense "
        "drivinglicence driverslicensenumber driverlicensenumber dlnumber fuhrerschein "
        "fuhrerscheinnummer permisdeconduire 運転免許証番号",
        "dl driverid",
        "license licence licensenumber licencenumber",
        needs_name=True,
    ),
    Rule(
        "MEDICARE_NUMBER",
        IDENTIFIER,
        TEXT_OR_NUMBER,
        (*(Check(accepts, DISTINCTIVE, name) for name, accepts in registration.HEALTH.items()),),
        "medicare medicarenumber medicareno medicarecard nhi nhinumber",
        "healthnumber healthid",
    ),
    Rule(
        "ORGANIZATION_IDENTIFIER",
        IDENTIFIER,
        TEXT_OR_NUMBER,
        (
            *(
                Check(accepts, DISTINCTIVE, name)
                for name, accepts in registration.ORGANIZATIONS.items()
            ),
            Check(registration.SG_UNIQUE_ENTITY_NUMBER, SUGGESTIVE, "SG_UNIQUE_ENTITY_NUMBER"),
        ),
        "abn acn nzbn uen businessnumber companynumber australianbusinessnumber "
        "australiancompanynumber uniqueentitynumber",
        "companyregistrationnumber organizationidentifier organisationidentifier orgnumber",
    ),
    Rule(
        "IMEI",
        IDENTIFIER,
        TEXT_OR_NUMBER,
        (Check(contact.IMEI, DISTINCTIVE),),
        "imei imeinumber deviceimei",
    ),
    Rule(
        "VIN",
        IDENTIFIER,
        TEXT,
        (
            Check(contact.VIN, DISTINCTIVE),
            Check(national.shaped(r"[A-HJ-NPR-Z\d]{17}"), PLAUSIBLE),
        ),
        "vin vinnumber vehicleidentificationnumber vehicleid fahrgestellnummer 車台番号",
        "chassisnumber",
    ),
    Rule(
        "IP_ADDRESS",
        IDENTIFIER,
        TEXT,
        (Check(contact.is_ip_address, SUGGESTIVE),),
        "ip ipaddress ipaddr ipv4 ipv6 ipv4address ipv6address clientip remoteip sourceip "
        "sourceaddr ipadresse ipアドレス",
        "remoteaddr clientaddr",
        "host",
    ),
    Rule(
        "URL",
        IDENTIFIER,
        TEXT,
        (Check(contact.URL, DISTINCTIVE),),
        "url website webaddress homepage profileurl websiteurl linkedinurl uri",
        "webpage link weblink",
        "site",
    ),
    Rule(
        "PHONE_NUMBER",
        IDENTIFIER,
        TEXT_OR_NUMBER,
        (
            *(
                Check(accepts, SUGGESTIVE, f"{country}_PHONE_NUMBER")
                for country, accepts in contact.PHONES.items()
            ),
            Check(contact.PHONE_INTERNATIONAL, SUGGESTIVE),
            Check(contact.is_phone, PLAUSIBLE),
        ),
        "phone phonenumber phoneno telephone telephonenumber mobilephone mobilenumber mobileno "
        "cellphone cellnumber homephone workphone faxnumber phonehome telefon telefonnummer "
        "handy handynummer mobiltelefon mobilnummer telefono numerotelefono numerodetelephone "
        "電話番号 携帯電話 携帯番号 電話",
        "mobile cell fax tel msisdn phones rufnummer",
        "contact",
    ),
    Rule(
        "NAME",
        IDENTIFIER,
        TEXT,
        (
            Check(people.is_known_name, SUGGESTIVE),
            Check(people.could_be_name, PLAUSIBLE),
        ),
        "firstname lastname fullname surname givenname familyname middlename maidenname "
        "forename fname lname personname customername employeename patientname cardholdername "
        "vorname nachname "
        "kundenname familienname vollername prenom nomdefamille apellido apellidos "
        "nombrecompleto nomcomplet firstnames lastnames 氏名 姓 名前 お名前 名字 姓名 フリガナ",
        "contactname username membername ownername accountholder beneficiaryname recipientname "
        "displayname legalname preferredname nickname nombre",
        "name nom customer employee manager contact",
    ),
    Rule(
        "STREET_ADDRESS",
        IDENTIFIER,
        TEXT,
        (
            Check(places.is_north_american_street, SUGGESTIVE, "US_STREET_ADDRESS"),
            Check(places.is_north_american_street, SUGGESTIVE, "CA_STREET_ADDRESS"),
            Check(places.is_north_american_street, SUGGESTIVE, "NZ_STREET_ADDRESS"),
            Check(places.is_street, SUGGESTIVE),
            Check(places.could_be_street, PLAUSIBLE),
        ),
        "streetaddress addressline addressline1 postaladdress homeaddress residentialaddress "
        "mailingaddress billingaddress shippingaddress deliveryaddress strasse strassenadresse "
        "anschrift wohnadresse adressepostale direccion calle 住所",
        "address addr street adresse addressline2 addressline3 domicile",
        "location",
    ),
)
