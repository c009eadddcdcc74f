select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id")::text
from
(select "t1".*
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = $1::text and (exists
(select 1
from "authors" as "t2"
where "t2"."document_id" = "t1"."author_document_id" and "t2"."locale" = '' and "t2"."status" = 'published' and exists
(select 1
from "profiles" as "t3"
where "t3"."document_id" = "t2"."profile_document_id" and "t3"."locale" = '' and "t3"."status" = 'published' and "t3"."nickname" collate "C" = $2::text)) and (exists
(select 1
from "articles_tags_links" as "l4" cross join "tags" as "t5"
where "l4"."source_id" = "t1"."id" and "t5"."document_id" = "l4"."target_document_id" and "t5"."locale" = '' and "t5"."status" = 'published' and "t5"."name" collate "C" <> $3::text) and not (exists
(select 1
from "categories" as "t6"
where "t6"."document_id" = "t1"."category_document_id" and "t6"."locale" = '' and "t6"."status" = 'published'))))
order by "t1"."id"
limit $4::bigint offset $5::bigint) as "t1"

-- 1: "en"
-- 2: "ada"
-- 3: "x"
-- 4: 25
-- 5: 0
