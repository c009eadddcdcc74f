select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id", 'title', "t1"."title")::text
from
(select "t1".*
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = $1::text
order by
(select
(select "t5"."nickname" collate "C"
from "profiles" as "t5"
where "t5"."document_id" = "t4"."profile_document_id" and "t5"."locale" = '' and "t5"."status" = 'published'
limit 1)
from "authors" as "t4"
where "t4"."document_id" = "t1"."author_document_id" and "t4"."locale" = '' and "t4"."status" = 'published'
limit 1) desc nulls last, "t1"."id"
limit $2::bigint offset $3::bigint) as "t1"

-- 1: "en"
-- 2: 25
-- 3: 0
