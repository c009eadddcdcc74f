select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), ',"title":', ifnull(json_quote("t1"."title"), 'null'), ',"rating":', ifnull(json_quote("t1"."rating"), 'null'), ',"reads":', ifnull('"' || "t1"."reads" || '"', 'null'), ',"featured":', ifnull(case "t1"."featured" when 1 then 'true' when 0 then 'false' end, 'null'), ',"startsAt":', ifnull('"' || substr("t1"."starts_at", 1, 23) || 'Z' || '"', 'null'), ',"extra":', ifnull(json("t1"."extra"), 'null'), '}')
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = +? and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: "en"
-- 2: 25
-- 3: 0
