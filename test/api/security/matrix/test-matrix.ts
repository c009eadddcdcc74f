import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DialectName } from '../../../../src/database/dialect/dialect.js';
import { databases } from '../../../support/databases.js';
import { CALLERS } from './configuration.js';
import type { CallerProfile, CallerName } from './configuration.js';
import { createComparison } from './comparison.js';
import type { Scenario } from './comparison.js';
import { createMatrixFixture, SECRETS } from './matrix-fixture.js';
import type { MatrixFixture } from './matrix-fixture.js';
import { checkPlugins, listForbiddenTexts } from './plugins.js';
import { checkQueries } from './queries.js';
import { checkReading } from './reading.js';
import { createCallerClient } from './caller-client.js';
import { checkTools } from './tools.js';
import { checkWriting } from './writing.js';

/** Secrets, hashes, and names that occur only in the database. */
const FORBIDDEN = new RegExp(
  [
    ...SECRETS,
    '\\$2[aby]\\$',
    '"(?:password|pin|hush|secret|resetPasswordToken|confirmationToken)":(?!null)',
    // Errors quote the key that the client has sent.
    '(?<!"key":)"[a-z_]+_document_id"',
    '"\\w+DocumentId":',
    'up_users',
    'SELECT ',
    'at /',
  ].join('|'),
  'i',
);

const CHECKS = {
  'reading documents': checkReading,
  'naming attributes in filters and sorts': checkQueries,
  'writing documents': checkWriting,
  'users, roles, files and languages': checkPlugins,
  'tools of the Model Context Protocol': checkTools,
} as const;

/** Each database has a test file of its own. */
export function testMatrix(dialect: DialectName): void {
  describe.each(databases.filter(({ name }) => name === dialect))(
    'everybody does everything by all transports, as configured, on $name',
    (database) => {
      let fixture: MatrixFixture;
      beforeAll(async () => {
        fixture = await createMatrixFixture(database);
      });
      afterAll(async () => {
        await fixture.testbed.site.close();
      });

      describe.each(Object.keys(CALLERS) as CallerName[])('%s', (name) => {
        const caller: CallerProfile = CALLERS[name];

        it.each(Object.keys(CHECKS) as (keyof typeof CHECKS)[])('%s', async (check) => {
          const client = createCallerClient(fixture.testbed, fixture.credentials[name]);
          const { mismatches, compare } = createComparison();
          const scenario: Scenario = { fixture, caller, client, compare };
          await CHECKS[check](scenario);
          expect(mismatches).toEqual([]);
          expect(client.responses.length).toBeGreaterThan(5);
          const forbiddenTexts = listForbiddenTexts(scenario);
          expect(
            client.responses.filter(
              (text) => FORBIDDEN.test(text) || forbiddenTexts.some((word) => text.includes(word)),
            ),
          ).toEqual([]);
        });
      });

      it('never with an internal error', () => {
        expect(
          fixture.testbed.site.log.filter((line) => (JSON.parse(line) as { level: number }).level >= 50),
        ).toEqual([]);
      });
    },
  );
}
