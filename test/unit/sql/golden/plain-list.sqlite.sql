select json_object('id', "t1"."id", 'documentId', "t1"."document_id", 'name', "t1"."name", 'weight', "t1"."weight", 'label', "t1"."label", 'createdAt', substr("t1"."created_at", 1, 23) || 'Z', 'updatedAt', substr("t1"."updated_at", 1, 23) || 'Z', 'publishedAt', substr("t1"."published_at", 1, 23) || 'Z')
from "tags" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = '' and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: 25
-- 2: 0
