select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id", 'title', "t1"."title")::text
from
(select "t1".*
from "articles" as "t1"
where "t1"."status" = 'draft' and "t1"."locale" = $1::text and not exists
(select 1
from "articles" as "t2"
where "t2"."document_id" = "t1"."document_id" and "t2"."status" = 'published')
order by "t1"."id"
limit $2::bigint offset $3::bigint) as "t1"

-- 1: "en"
-- 2: 25
-- 3: 0
