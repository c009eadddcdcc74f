import * as v from 'valibot';
import { listLog } from '../../documents/log/read-log.js';
import { TEXT, operation } from './operation.js';

const MAX_LISTED = 1000;
const DEFAULT_LISTED = 100;
/** The largest integer that both databases compare with an id. */
const MAX_ID = 2 ** 31 - 1;

const ID = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_ID));

/** Operations on the log of writes, sign-ins and rejected attempts. It can only be read. */
export const LOG_OPERATIONS = {
  list: operation({
    action: 'read',
    description: 'List rows of the log, the latest first, or with after the oldest first',
    input: v.strictObject({
      type: v.exactOptional(TEXT),
      documentId: v.exactOptional(TEXT),
      /** A name or an id of a user or token, or a kind: `user`, `token`, `anonymous`, `shell`. */
      who: v.exactOptional(TEXT),
      action: v.exactOptional(TEXT),
      via: v.exactOptional(TEXT),
      /** Milliseconds since 1970. */
      since: v.exactOptional(v.pipe(v.number(), v.integer(), v.safeInteger())),
      before: v.exactOptional(ID),
      after: v.exactOptional(ID),
      limit: v.optional(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_LISTED)),
        DEFAULT_LISTED,
      ),
    }),
    run: async ({ access: { database } }, filter) => {
      const entries = await listLog(database, filter);
      const last = entries.at(-1);
      return {
        entries,
        /** `before` or `after` of the next page. Null: this page is the last one. */
        next: last !== undefined && entries.length === filter.limit ? last.id : null,
      };
    },
  }),
} as const;
