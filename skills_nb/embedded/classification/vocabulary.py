"""Word lists: what people, places and attributes are called, in the languages of the data.

Room: embedded (classification). Data only, all in lower case. They need not be complete, because
80 % of a column is enough; they must not hold words that are common elsewhere.
"""

from __future__ import annotations


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word.strip() for line in lines for word in line.split(","))


def spaced(text: str) -> frozenset[str]:
    """Read a list of words that stand apart by spaces."""
    return frozenset(text.split())


COUNTRIES = _words(
    "afghanistan,albania,algeria,andorra,angola,argentina,armenia,australia,austria",
    "azerbaijan,bahamas,bahrain,bangladesh,barbados,belarus,belgium,belize,benin,bhutan",
    "bolivia,bosnia and herzegovina,botswana,brazil,brunei,bulgaria,burkina faso,burundi",
    "cambodia,cameroon,canada,cape verde,chad,chile,china,colombia,comoros,congo,costa rica",
    "croatia,cuba,cyprus,czech republic,czechia,denmark,djibouti,dominica,dominican republic",
    "ecuador,egypt,el salvador,eritrea,estonia,eswatini,ethiopia,fiji,finland,france,gabon",
    "gambia,georgia,germany,ghana,great britain,greece,greenland,grenada,guatemala,guinea",
    "guyana,haiti,honduras,hong kong,hungary,iceland,india,indonesia,iran,iraq,ireland,israel",
    "italy,ivory coast,jamaica,japan,jordan,kazakhstan,kenya,kiribati,kosovo,kuwait",
    "kyrgyzstan,laos,latvia,lebanon,lesotho,liberia,libya,liechtenstein,lithuania,luxembourg",
    "macau,madagascar,malawi,malaysia,maldives,mali,malta,mauritania,mauritius,mexico,moldova",
    "monaco,mongolia,montenegro,morocco,mozambique,myanmar,namibia,nauru,nepal,netherlands",
    "new zealand,nicaragua,niger,nigeria,north korea,north macedonia,norway,oman,pakistan",
    "palau,palestine,panama,papua new guinea,paraguay,peru,philippines,poland,portugal",
    "puerto rico,qatar,romania,russia,rwanda,samoa,san marino,saudi arabia,senegal,serbia",
    "seychelles,sierra leone,singapore,slovakia,slovenia,somalia,south africa,south korea",
    "south sudan,spain,sri lanka,sudan,suriname,sweden,switzerland,syria,taiwan,tajikistan",
    "tanzania,thailand,togo,tonga,trinidad and tobago,tunisia,turkey,türkiye,turkmenistan",
    "tuvalu,uganda,ukraine,united arab emirates,united kingdom,united states",
    "united states of america,uruguay,usa,uzbekistan,vanuatu,vatican city,venezuela,vietnam",
    "yemen,zambia,zimbabwe,deutschland,österreich,schweiz,frankreich,italien,spanien",
    "niederlande,vereinigtes königreich,vereinigte staaten,españa,italia,polska,suomi,sverige",
    "norge,danmark,日本,中国,アメリカ,アメリカ合衆国,ドイツ,フランス,イギリス,韓国,カナダ",
    "スペイン,スウェーデン",
)
COUNTRY_CODES = spaced(
    "ad ae af ag al am ao ar at au az ba bb bd be bf bg bh bi bj bn bo br bs bt bw by bz ca cd "
    "cf cg ch ci cl cm cn co cr cu cv cy cz de dj dk dm do dz ec ee eg er es et fi fj fr ga gb "
    "gd ge gh gm gn gq gr gt gw gy hk hn hr ht hu id ie il in iq ir is it jm jo jp ke kg kh ki "
    "km kn kp kr kw kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mk ml mm mn mr mt mu mv "
    "mw mx my mz na ne ng ni nl no np nr nz om pa pe pg ph pk pl pr ps pt pw py qa ro rs ru rw "
    "sa sb sc sd se sg si sk sl sm sn so sr ss st sv sy sz td tg th tj tl tm tn to tr tt tv tw "
    "tz ua ug uk us uy uz va vc ve vn vu ws xk ye za zm zw arg aus aut bel bgr bra can che chl "
    "chn col cyp cze deu dnk egy esp est fin fra gbr grc hrv hun idn ind irl isl isr ita jpn "
    "kor ltu lux lva mex mlt mys nld nor nzl pak per phl pol prt rou rus sau sgp svk svn swe "
    "tha tur twn ukr usa vnm zaf"
)
US_STATES = _words(
    "alabama,alaska,arizona,arkansas,california,colorado,connecticut,delaware",
    "district of columbia,florida,georgia,hawaii,idaho,illinois,indiana,iowa,kansas,kentucky",
    "louisiana,maine,maryland,massachusetts,michigan,minnesota,mississippi,missouri,montana",
    "nebraska,nevada,new hampshire,new jersey,new mexico,new york,north carolina,north dakota",
    "ohio,oklahoma,oregon,pennsylvania,rhode island,south carolina,south dakota,tennessee",
    "texas,utah,vermont,virginia,washington,west virginia,wisconsin,wyoming,puerto rico,guam",
)
US_STATE_CODES = spaced(
    "al ak az ar ca co ct de dc fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh "
    "nj nm ny nc nd oh ok or pa ri sc sd tn tx ut vt va wa wv wi wy pr gu vi"
)
CA_PROVINCES = _words(
    "alberta,british columbia,manitoba,new brunswick,newfoundland and labrador",
    "northwest territories,nova scotia,nunavut,ontario,prince edward island,quebec,québec",
    "saskatchewan,yukon",
)
CA_PROVINCE_CODES = spaced("ab bc mb nb nl nt ns nu on pe qc sk yt")
NZ_REGIONS = _words(
    "northland,auckland,waikato,bay of plenty,gisborne,hawke's bay,taranaki",
    "manawatū-whanganui,manawatu-wanganui,wellington,tasman,nelson,marlborough,west coast",
    "canterbury,otago,southland",
)
OTHER_REGIONS = _words(
    "baden-württemberg,bayern,bavaria,berlin,brandenburg,bremen,hamburg,hessen,niedersachsen",
    "mecklenburg-vorpommern,nordrhein-westfalen,rheinland-pfalz,saarland,sachsen",
    "sachsen-anhalt,schleswig-holstein,thüringen,île-de-france,bretagne,normandie,occitanie",
    "grand est,andalucía,cataluña,comunidad de madrid,galicia,país vasco,england,scotland",
    "wales,northern ireland,skåne,new south wales,victoria,queensland,south australia",
    "western australia,tasmania,東京都,大阪府,京都府,北海道,神奈川県,愛知県,福岡県,埼玉県",
    "千葉県,兵庫県,宮城県,広島県,stockholm,uppsala",
)
US_CITIES = _words(
    "new york,los angeles,chicago,houston,phoenix,philadelphia,san antonio,san diego,dallas",
    "austin,jacksonville,fort worth,columbus,charlotte,indianapolis,san francisco,seattle",
    "denver,boston,nashville,detroit,oklahoma city,portland,las vegas,memphis,louisville",
    "baltimore,milwaukee,albuquerque,tucson,fresno,sacramento,kansas city,mesa,atlanta,omaha",
    "colorado springs,raleigh,miami,oakland,minneapolis,tulsa,tampa,new orleans,cleveland",
    "pittsburgh,st. louis,cincinnati,springfield,salt lake city,orlando,buffalo,madison,boise",
    "spokane,washington,honolulu,newark",
)
CA_CITIES = _words(
    "toronto,montreal,montréal,vancouver,calgary,edmonton,ottawa,winnipeg,quebec city",
    "hamilton,kitchener,halifax,victoria,london,oshawa,windsor,saskatoon,regina,st. john's",
    "kelowna,mississauga",
)
NZ_CITIES = _words(
    "auckland,wellington,christchurch,hamilton,tauranga,dunedin,napier,hastings,rotorua",
    "nelson",
)
WORLD_CITIES = _words(
    "berlin,hamburg,münchen,munich,köln,cologne,frankfurt am main,frankfurt,stuttgart",
    "düsseldorf,leipzig,dresden,hannover,nürnberg,bremen,wien,vienna,graz,linz,salzburg",
    "zürich,zurich,genf,geneva,genève,basel,bern,lausanne,paris,marseille,lyon,toulouse,nice",
    "nantes,strasbourg,bordeaux,lille,rennes,madrid,barcelona,valencia,sevilla,zaragoza",
    "málaga,bilbao,granada,roma,rome,milano,milan,napoli,torino,firenze,bologna,lisboa,lisbon",
    "porto,amsterdam,rotterdam,utrecht,den haag,brussels,bruxelles,antwerpen,gent,copenhagen",
    "københavn,aarhus,stockholm,göteborg,malmö,uppsala,oslo,bergen,helsinki,espoo,tampere",
    "warszawa,warsaw,kraków,praha,prague,brno,budapest,dublin,cork,london,manchester",
    "birmingham,leeds,glasgow,edinburgh,liverpool,bristol,cardiff,sheffield,athens,istanbul",
    "ankara,bucharest,sofia,zagreb,belgrade,ljubljana,bratislava,vilnius,riga,tallinn,moscow",
    "kyiv,tokyo,osaka,kyoto,nagoya,sapporo,yokohama,fukuoka,東京,大阪,京都,名古屋,札幌,横浜",
    "福岡,神戸,仙台,広島,東京都,大阪市,京都市,名古屋市,札幌市,横浜市,福岡市,神戸市,仙台市",
    "広島市,beijing,shanghai,shenzhen,hong kong,singapore,seoul,busan,taipei,bangkok,jakarta",
    "manila,mumbai,delhi,new delhi,bangalore,bengaluru,chennai,kolkata,hyderabad,pune,karachi",
    "lahore,dhaka,dubai,abu dhabi,riyadh,tel aviv,jerusalem,cairo,lagos,nairobi,johannesburg",
    "cape town,accra,casablanca,sydney,melbourne,brisbane,perth,adelaide,canberra,são paulo",
    "rio de janeiro,brasília,buenos aires,santiago,lima,bogotá,bogota,mexico city",
    "ciudad de méxico,guadalajara,caracas,quito",
)
GENDERS = _words(
    "male,female,man,woman,non-binary,nonbinary,non binary,transgender,genderqueer",
    "genderfluid,agender,intersex,männlich,weiblich,divers,homme,femme,masculin,féminin",
    "hombre,mujer,masculino,femenino,男性,女性,男,女",
)
GENDER_CODES = _words(
    "m,f,w,d,x,u,o,h,other,unknown,unspecified,not specified,prefer not to say",
    "decline to state,undisclosed,0,1,2,9",
)
MARITAL = _words(
    "single,married,divorced,widowed,separated,never married,domestic partnership,civil union",
    "civil partnership,registered partnership,engaged,annulled,common law,common-law,widow",
    "widower,ledig,verheiratet,geschieden,verwitwet,célibataire,marié,mariée,divorcé,divorcée",
    "veuf,veuve,pacsé,soltero,soltera,casado,casada,divorciado,viudo,viuda,未婚,既婚,離婚",
    "独身",
)
MARITAL_CODES = _words(
    "s,m,d,w,u,l,unknown,other,prefer not to say",
)
ETHNICITIES = _words(
    "asian,black,white,caucasian,hispanic,latino,latina,latinx,african american",
    "native american,american indian,alaska native,american indian or alaska native",
    "native hawaiian,pacific islander,native hawaiian or other pacific islander",
    "black or african american,hispanic or latino,mixed,not hispanic or latino",
    "two or more races,multiracial,middle eastern,south asian,east asian,white british",
    "black african,black caribbean,mixed race,arab,indigenous,māori,maori,pasifika,european",
    "white/caucasian,asian american,aboriginal,roma,romani",
)
OCCUPATION_HEADS = _words(
    "accountant,actor,administrator,advisor,agent,analyst,architect,artist,assistant",
    "associate,attorney,auditor,baker,banker,bookkeeper,buyer,carpenter,cashier,chef,chemist",
    "clerk,coach,consultant,cook,controller,coordinator,counselor,dentist,designer,developer",
    "director,doctor,driver,economist,editor,electrician,engineer,executive,farmer",
    "firefighter,generalist,hairdresser,head,inspector,instructor,janitor,journalist,judge",
    "laborer,lawyer,lead,lecturer,librarian,machinist,manager,mechanic,midwife,musician,nurse",
    "officer,operator,paralegal,paramedic,partner,pharmacist,photographer,physician,pilot",
    "planner,plumber,police officer,president,producer,professor,programmer,psychologist",
    "receptionist,recruiter,representative,researcher,retired,salesperson,scientist,secretary",
    "server,social worker,specialist,statistician,strategist,student,supervisor,surgeon",
    "teacher,technician,therapist,trainer,translator,treasurer,unemployed,veterinarian,waiter",
    "waitress,welder,worker,writer,lehrer,lehrerin,ingenieur,ingenieurin,arzt,ärztin,kaufmann",
    "kauffrau,エンジニア,教師,医師,看護師,会社員,公務員,弁護士,営業,マネージャー,デザイナー",
)
GIVEN_NAMES = _words(
    "james,mary,john,patricia,robert,jennifer,michael,linda,william,elizabeth,david,barbara",
    "richard,susan,joseph,jessica,thomas,sarah,charles,karen,daniel,nancy,matthew,lisa",
    "anthony,betty,mark,margaret,donald,sandra,steven,ashley,paul,kimberly,andrew,emily",
    "joshua,donna,kenneth,michelle,kevin,carol,brian,amanda,george,melissa,edward,deborah",
    "ronald,stephanie,timothy,rebecca,jason,laura,jeffrey,sharon,ryan,cynthia,jacob,kathleen",
    "gary,amy,nicholas,angela,eric,anna,jonathan,emma,stephen,nicole,larry,helen,justin",
    "samantha,scott,katherine,brandon,christine,benjamin,olivia,liam,noah,ava,sophia,isabella",
    "mia,charlotte,amelia,harper,evelyn,abigail,lucas,henry,alexander,mason,ethan,logan",
    "jackson,oliver,jack,harry,charlie,freya,poppy,alice,bob,grace,jane,joe,peter,martin,hans",
    "jürgen,klaus,wolfgang,ursula,sabine,monika,petra,karin,heike,uwe,stefan,andreas,matthias",
    "jörg,björn,sören,käthe,günther,günter,anke,ulrike,birgit,dieter,heinz,lukas,leon,finn",
    "jonas,felix,maximilian,lena,lea,hannah,marie,johanna,clara,greta,theresa,jan,pierre,jean",
    "jacques,françois,françoise,andré,andrée,rené,renée,hélène,zoé,chloé,camille,léa,manon",
    "inès,théo,hugo,louis,gabriel,raphaël,arthur,jules,élodie,aurélie,benoît,céline,noémie",
    "antonio,josé,manuel,francisco,juan,javier,carlos,jesús,miguel,maría,carmen,ana,isabel",
    "dolores,pilar,teresa,rosa,lucía,sofía,martina,paula,daniela,valeria,álvaro,pablo,diego",
    "alejandro,íñigo,giuseppe,giovanni,marco,luca,francesca,giulia,chiara,alessandro,lorenzo",
    "matteo,sara,elena,astrid,lars,anders,erik,karl,sven,ingrid,kerstin,birgitta,åsa,åke,elin",
    "linnea,maja,oskar,nils,jörgen,wei,fang,xiu,ying,li,jing,priya,rahul,amit,anjali,ravi",
    "sunita,mohammed,ahmed,fatima,aisha,omar,hiroshi,yuki,akira,haruto,sakura,yui,takeshi",
    "kenji,naoko,keiko,ivan,olga,natasha,dmitri,piotr,agata",
)
JAPANESE_SURNAMES = _words(
    "佐藤,鈴木,高橋,田中,伊藤,渡辺,山本,中村,小林,加藤,吉田,山田,佐々木,山口,松本,井上,木村",
    "林,斎藤,清水,山崎,森,池田,橋本,阿部,石川,山下,中島,石井,小川,前田,岡田,長谷川,藤田,後藤",
    "近藤,村上,遠藤,青木,坂本",
)
STREET_WORDS = _words(
    "street,st,avenue,ave,road,rd,boulevard,blvd,drive,dr,lane,ln,court,ct,place,pl,way",
    "terrace,highway,hwy,parkway,pkwy,square,sq,crescent,close,trail,circle,cir,row,walk,mews",
    "loop,alley",
)
