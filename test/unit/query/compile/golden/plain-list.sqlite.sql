select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), ',"name":', ifnull(json_quote("t1"."name"), 'null'), ',"weight":', ifnull(json_quote("t1"."weight"), 'null'), ',"label":', ifnull(json_quote("t1"."label"), 'null'), ',"createdAt":', ifnull('"' || substr("t1"."created_at", 1, 23) || 'Z' || '"', 'null'), ',"updatedAt":', ifnull('"' || substr("t1"."updated_at", 1, 23) || 'Z' || '"', 'null'), ',"publishedAt":', ifnull('"' || substr("t1"."published_at", 1, 23) || 'Z' || '"', 'null'), '}')
from "tags" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = '' and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: 25
-- 2: 0
