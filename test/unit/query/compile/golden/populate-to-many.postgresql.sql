select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id", 'title', "t1"."title", 'gallery',
(select json_build_object('count', count(*))
from "articles_gallery_links" as "l2" cross join lateral
(select *
from "files" as "t3"
where "t3"."document_id" = "l2"."target_document_id" and "t3"."locale" = '' and "t3"."status" = 'published' offset 0) as "t3"
where "l2"."source_id" = "t1"."id"), 'tags',
(select coalesce(json_agg(json_build_object('id', "t5"."id", 'documentId', "t5"."document_id", 'name', "t5"."name")), '[]'::json)
from
(select "t5".*
from "articles_tags_links" as "l4" cross join lateral
(select *
from "tags" as "t5"
where "t5"."document_id" = "l4"."target_document_id" and "t5"."locale" = '' and "t5"."status" = 'published' offset 0) as "t5"
where "l4"."source_id" = "t1"."id"
order by "l4"."position", "l4"."id" ) as "t5"), 'related',
(select coalesce(json_agg(json_build_object('id', "t7"."id", 'documentId', "t7"."document_id", 'title', "t7"."title")), '[]'::json)
from
(select "t7".*
from "articles_related_links" as "l6" cross join lateral
(select *
from "articles" as "t7"
where "t7"."document_id" = "l6"."target_document_id" and "t7"."locale" = "t1"."locale" and "t7"."status" = 'published' offset 0) as "t7"
where "l6"."source_id" = "t1"."id" and "t7"."views" > $1::bigint
order by "t7"."title" collate "C" asc nulls first, "l6"."position", "l6"."id"
limit $2::bigint offset $3::bigint) as "t7"))::text
from
(select "t1".*
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = $4::text
order by "t1"."id"
limit $5::bigint offset $6::bigint) as "t1"

-- 1: 1
-- 2: 3
-- 3: 0
-- 4: "en"
-- 5: 25
-- 6: 0
