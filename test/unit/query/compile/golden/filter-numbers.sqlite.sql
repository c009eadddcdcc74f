select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), '}')
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = +? and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0) and (("t1"."views" between +? and +? and "t1"."rating" > +?) and (not ("t1"."reads" in
(select value
from json_each(+?))) and ("t1"."starts_at" < +? and not ("t1"."featured" = +?))))
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: "en"
-- 2: 1
-- 3: 5
-- 4: 2.5
-- 5: "[1,2]"
-- 6: "2026-01-01T00:00:00.000+00:00"
-- 7: 1
-- 8: 25
-- 9: 0
