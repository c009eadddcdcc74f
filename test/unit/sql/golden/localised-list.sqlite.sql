select json_object('id', "t1"."id", 'documentId', "t1"."document_id", 'title', "t1"."title", 'rating', "t1"."rating", 'reads', cast("t1"."reads" as text), 'featured', case "t1"."featured" when 1 then json('true') when 0 then json('false') end, 'startsAt', substr("t1"."starts_at", 1, 23) || 'Z', 'extra', json("t1"."extra"))
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = +? and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: "en"
-- 2: 25
-- 3: 0
