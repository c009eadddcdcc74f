select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id", 'title', "t1"."title")::text
from
(select "t1".*
from "articles" as "t1"
where "t1"."status" = 'draft'
order by "t1"."id"
limit $1::bigint offset $2::bigint) as "t1"

-- 1: 25
-- 2: 0
