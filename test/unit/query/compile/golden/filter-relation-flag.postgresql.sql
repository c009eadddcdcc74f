select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id")::text
from
(select "t1".*
from "tags" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = '' and exists
(select 1
from "articles_tags_links" as "l2" cross join "articles" as "t3"
where "l2"."target_document_id" = "t1"."document_id" and "t3"."id" = "l2"."source_id" and "t3"."status" = 'published' and "t3"."featured" = $1::boolean)
order by "t1"."id"
limit $2::bigint offset $3::bigint) as "t1"

-- 1: true
-- 2: 25
-- 3: 0
