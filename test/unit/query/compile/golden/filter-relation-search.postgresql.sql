select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id")::text
from
(select "t1".*
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = $1::text and exists
(select 1
from "authors" as "t2"
where "t2"."document_id" = "t1"."author_document_id" and "t2"."locale" = '' and "t2"."status" = 'published' and strpos("t2"."name", $2::text) > 0)
order by "t1"."id"
limit $3::bigint offset $4::bigint) as "t1"

-- 1: "en"
-- 2: "a"
-- 3: 25
-- 4: 0
