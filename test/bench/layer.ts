import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cpuRatio, measureInTurn } from './in-turn.js';
import type { MeasuredInTurn } from './in-turn.js';
import { createClient, requestFor } from './load.js';
import type { Site } from './magazine-site.js';
import { printLine, printRow } from './print.js';
import { startGalley } from './processes.js';
import type { RunningServer } from './processes.js';
import { comparedScenarios } from './scenarios.js';

/** Code as projects have it, which leaves articles alone. */
const CODE: Readonly<Record<string, string>> = {
  'src/index.js': `
    module.exports = {
      register({ strapi }) { strapi.customFields.register({ name: 'color', type: 'string' }); },
      bootstrap({ strapi }) {
        strapi.db.lifecycles.subscribe({ models: ['api::tag.tag'], beforeCreate() {} });
        strapi.eventHub.on('entry.create', () => undefined);
      },
    };`,
  'src/policies/is-owner.js': 'module.exports = () => true;',
  'src/api/tag/controllers/tag.js': `
    const { factories } = require('@strapi/strapi');
    module.exports = factories.createCoreController('api::tag.tag', () => ({
      async find(ctx) { return super.find(ctx); },
    }));`,
  'src/api/tag/routes/tag.js': `
    const { factories } = require('@strapi/strapi');
    module.exports = factories.createCoreRouter('api::tag.tag', {
      config: { find: { policies: ['global::is-owner'] } },
    });`,
  'src/api/tag/content-types/tag/lifecycles.js': 'module.exports = { afterUpdate() {} };',
};

/** For each server in each scenario. */
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? '2') * 5;

/** Copies a site, which then reads the same database, and gives it the code. */
const addCode = ({ folder }: Site): string => {
  const copy = `${folder}-code`;
  rmSync(copy, { recursive: true, force: true });
  cpSync(folder, copy, { recursive: true, filter: (path) => !/\.db(?:-\w+)?$/.test(path) });
  for (const [path, text] of Object.entries(CODE)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  }
  return copy;
};

/** Prints what reads of a type cost that no project code touches, with and without code beside them. */
export async function printLayer(site: Site, only: string): Promise<void> {
  const folder = addCode(site);
  const variables = { DATABASE_URL: site.url };
  printLine(`${site.size.toLocaleString('en')} articles on ${site.dialect}, µs of CPU for each request`);
  printRow('reads', ['without', 'with', 'ratio', 'cached', 'with', 'ratio']);
  const servers: RunningServer[] = [];
  try {
    for (const memory of [{ API_CACHE: '0' }, {}])
      for (const place of [site.folder, folder])
        servers.push(await startGalley(place, { ...variables, ...memory }));
    const send = createClient();
    for (const scenario of comparedScenarios(site.size).filter(({ name }) => name.includes(only))) {
      const requestTo = ({ base }: RunningServer) => requestFor(base, site.token, scenario);
      const answers = await Promise.all(servers.map((server) => send(requestTo(server))));
      if (new Set(answers).size > 1) throw new Error(`${scenario.name}: the answers differ`);
      const contenders = servers.map((server) => ({ server, request: requestTo(server) }));
      const measured = await measureInTurn(contenders, SECONDS);
      const cellsOf = ([plain, coded]: readonly MeasuredInTurn[]): readonly string[] =>
        plain === undefined || coded === undefined
          ? []
          : [plain.cpuMicros.toFixed(1), coded.cpuMicros.toFixed(1), cpuRatio(coded, plain).toFixed(2)];
      printRow(scenario.name, [...cellsOf(measured.slice(0, 2)), ...cellsOf(measured.slice(2))]);
    }
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}
