select json_object('id', "t1"."id", 'documentId', "t1"."document_id", 'title', "t1"."title")
from
(select "t1"."id" as sorted_id
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = +?
order by
(select
(select "t3"."nickname"
from "profiles" as "t3"
where "t3"."document_id" = "t2"."profile_document_id" and "t3"."locale" = '' and "t3"."status" = 'published'
limit 1)
from "authors" as "t2"
where "t2"."document_id" = "t1"."author_document_id" and "t2"."locale" = '' and "t2"."status" = 'published'
limit 1) desc, "t1"."id"
limit (+? + 0) offset (+? + 0)) as "t1s" cross join "articles" as "t1" on "t1"."id" = "t1s".sorted_id

-- 1: "en"
-- 2: 25
-- 3: 0
