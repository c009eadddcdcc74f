/**
 * `npm run bench`: the server and, beside it, a hand-written one over the same database whose answers are the
 * same. Both are driven in turn with the same load, so that a noisy machine slows both. The ratios are what
 * to read: they compare the CPU that the servers' processes take for each request, the least of several
 * rounds, as nothing else on the machine changes that much. PostgreSQL's own processes are left out; where
 * its work is what differs, compare the requests a second. `--grow` compares the server with itself at
 * several sizes. See `options.ts`.
 */
import { printBulk } from './bulk.js';
import { printCheck } from './check.js';
import { compareReads } from './compare.js';
import { openDatabases } from './databases.js';
import { printGrowth } from './grow.js';
import { printHeavyRequests } from './heavy.js';
import { printLayer } from './layer.js';
import { printLists } from './lists.js';
import { createSites } from './magazine-site.js';
import type { Site } from './magazine-site.js';
import { parseOptions } from './options.js';
import { printLine } from './print.js';
import { comparedScenarios } from './scenarios.js';
import { withContenders } from './servers.js';
import { printStart } from './start.js';
import { printWrites } from './writes.js';

const options = parseOptions(process.argv.slice(2));
const compareServers = async (): Promise<void> => {
  const databases = await openDatabases(options);
  const sites = createSites(options, databases);
  try {
    const opened: Site[] = [];
    for (const size of options.sizes) opened.push(await sites.open(size));
    if (options.grows) await printGrowth(opened, options.only);
    else if (options.isHeavy) for (const site of opened) await printHeavyRequests(site);
    else if (options.isLayer) for (const site of opened) await printLayer(site, options.only);
    else if (options.isLists) for (const site of opened) await printLists(site);
    else if (options.isCheck) for (const site of opened) printCheck(site);
    else if (options.isBulk) for (const site of opened) await printBulk(site);
    else
      for (const site of opened) {
        printLine(`${site.size.toLocaleString('en')} articles on ${site.dialect}`);
        await withContenders(site, options.usesPlugins, async (contenders) => {
          const scenarios = comparedScenarios(site.size).filter(({ name }) => name.includes(options.only));
          await compareReads(contenders, site, scenarios);
          // What is written would make the next run differ.
          if (options.folder === null && options.only === '') await printWrites(contenders.plain, site);
        });
      }
  } finally {
    sites.close();
    await databases.stop();
  }
};

if (options.isStart) printStart();
else await compareServers();
