select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id", 'title', "t1"."title", 'localizations',
(select coalesce(json_agg(json_build_object('id', "t2"."id", 'documentId', "t2"."document_id", 'title', "t2"."title", 'locale', "t2"."locale")), '[]'::json)
from
(select "t2".*
from "articles" as "t2"
where "t2"."document_id" = "t1"."document_id" and "t2"."status" = 'published' and "t2"."locale" <> "t1"."locale"
order by "t2"."locale" collate "C", "t2"."id") as "t2"))::text
from
(select "t1".*
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = $1::text
order by "t1"."id"
limit $2::bigint offset $3::bigint) as "t1"

-- 1: "en"
-- 2: 25
-- 3: 0
