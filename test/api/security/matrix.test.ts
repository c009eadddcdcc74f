import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { CALLERS } from './matrix/configured.js';
import type { CallerFacts, CallerName } from './matrix/configured.js';
import { createComparison } from './matrix/finding.js';
import type { Visit } from './matrix/finding.js';
import { createLibrary, SECRETS } from './matrix/library.js';
import type { Library } from './matrix/library.js';
import { checkPlugins, unspeakable } from './matrix/plugins.js';
import { checkProbing } from './matrix/probing.js';
import { checkReading } from './matrix/reading.js';
import { speakAs } from './matrix/transports.js';
import { checkWriting } from './matrix/writing.js';

/** Secrets, hashes, and names that only the database knows. */
const NEVER = new RegExp(`${SECRETS.join('|')}|\\$2[aby]\\$|"(?:password|pin|hush|secret|resetPasswordToken|confirmationToken)":(?!null)|"[a-z_]+_document_id"|"\\w+DocumentId":|up_users|SELECT |at /`, 'i');

const PARTS = { 'reading documents': checkReading, 'naming attributes in filters and sorts': checkProbing, 'writing documents': checkWriting, 'users, roles, files and languages': checkPlugins } as const;

describe.each(databases)('everybody does everything by both transports, as configured, on $name', (database) => {
  let library: Library;
  beforeAll(async () => {
    library = await createLibrary(database);
  });
  afterAll(async () => {
    await library.club.site.close();
  });

  describe.each(Object.keys(CALLERS) as CallerName[])('%s', (name) => {
    const caller: CallerFacts = CALLERS[name];

    it.each(Object.keys(PARTS) as (keyof typeof PARTS)[])('%s', async (part) => {
      const voice = speakAs(library.club, library.credentials[name]);
      const { findings, compare } = createComparison();
      const visit: Visit = { library, caller, voice, compare };
      await PARTS[part](visit);
      expect(findings).toEqual([]);
      expect(voice.heard.length).toBeGreaterThan(5);
      const said = unspeakable(visit);
      expect(voice.heard.filter((text) => NEVER.test(text) || said.some((word) => text.includes(word)))).toEqual([]);
    });
  });

  it('never by a fault of the server', () => {
    expect(library.club.site.log.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)).toEqual([]);
  });
});
