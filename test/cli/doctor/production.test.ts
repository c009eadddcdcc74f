import { appendFileSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manualChecks } from '../../../src/project/doctor/examine-project.js';
import { runBinary } from '../support/binary.js';
import { createMigratedSite, createSite, SECRETS } from '../support/migrated-project.js';
import { packageRoot } from '../support/package-root.js';

interface Report {
  readonly findings: readonly {
    readonly check: string;
    readonly status: string;
    readonly message: string;
    readonly remedy?: string;
  }[];
  readonly checklist?: readonly string[];
}

/** What the real program, whose NODE_ENV is nobody's, finds in one field. */
const find = async (root: string, check: string, ...argv: readonly string[]) => {
  const { stdout, exitCode } = await runBinary(['doctor', '--json', ...argv], { cwd: root });
  const { findings, checklist } = JSON.parse(stdout) as Report;
  return { exitCode, found: findings.filter((finding) => finding.check === check), checklist };
};

const CLOSED = `
  server: { url: 'https://api.example.com', cors: { origin: ['https://example.com'] } },
  plugins: { email: { config: { providerOptions: { host: 'mail.example.com' } } } },
`;

describe('cms doctor --production', () => {
  it('warns about what suits development only, and about nothing of it without the flag', async () => {
    const site = createSite({
      '.env': `${SECRETS}CMS_RATE_LIMIT=off\nNODE_ENV=development\nLOG_LEVEL=debug\n`,
      'cms.config.js': 'export default { plugins: { graphql: { config: { playgroundAlways: true } } } };',
    });
    const { found } = await find(site.root, 'production', '--production');
    expect(found.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'warning'));
    expect(found.map(({ message }) => message).join('\n')).toMatch(
      /CMS_RATE_LIMIT.*\nNODE_ENV is development.*\nLOG_LEVEL is debug.*\n.*playground.*\n.*origin.*\nLinks/,
    );
    expect(found.every(({ remedy = '' }) => remedy !== '')).toBe(true);
    expect(await find(site.root, 'production')).toMatchObject({ found: [], checklist: undefined });
  });

  it('is content with a closed configuration', async () => {
    const site = createSite({ 'cms.config.js': `export default { ${CLOSED} };` });
    const { found, checklist = [] } = await find(site.root, 'production', '--production');
    expect(found).toMatchObject([{ status: 'ok' }]);
    expect(checklist.length).toBeGreaterThan(0);
    expect(checklist.join(' ')).not.toContain('PostgreSQL');
  });

  it('warns about times for shared caches that no webhook purges', async () => {
    const config = (text: string): string => `export default { ${CLOSED} cache: { ${text} } };`;
    const control = "control: { '*': { sMaxAge: 60 } }";
    const site = await createMigratedSite();
    site.write({ 'cms.config.js': config(control) });
    const { found } = await find(site.root, 'cache', '--production');
    expect(found.map(({ message }) => message)).toEqual([
      expect.stringContaining('without tags'),
      expect.stringContaining('no webhook'),
    ]);
    site.write({ 'cms.config.js': config("tags: ['Cache-Tag'], control: { '*': { sMaxAge: 1 } }") });
    expect((await find(site.root, 'cache', '--production')).found).toEqual([]);
    site.write({ 'cms.config.js': config(`tags: ['Cache-Tag'], ${control}`) });
    await runBinary(['webhook', 'add', 'proxy', 'http://127.0.0.1:6081', '--purge', 'varnish'], {
      cwd: site.root,
    });
    expect((await find(site.root, 'cache', '--production')).found).toEqual([]);
  });

  it('lists what is left to check, as the documentation does', async () => {
    const page = readFileSync(join(packageRoot, 'docs/deployment.md'), 'utf8');
    const section = page.slice(page.indexOf('## Checklist'), page.indexOf('## Several processes'));
    const listed = [...section.matchAll(/^- (.*)$/gm)].map(([, item]) => item);
    const upload = { provider: 'local' } as const;
    expect(listed).toEqual(manualChecks({ database: { url: 'postgresql://db/site' }, upload }));
    const { stdout } = await runBinary(['doctor', '--production'], {
      cwd: createSite({ '.env': SECRETS }).root,
    });
    for (const item of manualChecks({ database: { url: 'file:./data.db' }, upload }))
      expect(stdout).toContain(`☐ ${item}`);
    expect(stdout).toContain('E-mails are not sent');
  });
});

describe('cms doctor and the database', () => {
  it('reports one that does not respond, without its password', async () => {
    const site = createSite({ '.env': `${SECRETS}DATABASE_URL=postgresql://cms:hunter2@127.0.0.1:1/site\n` });
    const { exitCode, found } = await find(site.root, 'database');
    expect(exitCode).toBe(1);
    expect(found).toEqual([
      {
        check: 'database',
        status: 'error',
        message: expect.stringContaining('postgresql://cms:***@127.0.0.1:1/site cannot be reached'),
        remedy: expect.any(String),
      },
    ]);
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });

  it('reports migrations that were changed or lost after they were applied', async () => {
    const edited = await createMigratedSite();
    const [name] = readdirSync(join(edited.root, 'prisma/migrations')).filter((entry) => /^\d/.test(entry));
    appendFileSync(join(edited.root, 'prisma/migrations', name ?? '', 'migration.sql'), '-- more\n');
    expect((await find(edited.root, 'database')).found).toMatchObject([
      {
        status: 'error',
        message: `The file of migration ${name ?? ''} has changed since it was applied.`,
        remedy: expect.stringContaining('Restore it from version control'),
      },
    ]);
    rmSync(join(edited.root, 'prisma/migrations', name ?? ''), { recursive: true });
    expect((await find(edited.root, 'database')).found).toMatchObject([
      { status: 'error', message: expect.stringContaining(name ?? '') },
    ]);
  });
});
