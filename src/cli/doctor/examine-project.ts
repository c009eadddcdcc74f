import { openProject } from '../../project/open-project.js';
import type { Project } from '../../project/open-project.js';
import { loadConfig } from '../../config/load-config.js';
import type { Config } from '../../config/config.js';
import type { Outcome } from '../outcome.js';
import type { Style } from '../terminal/style.js';
import { runCheck, ok } from './check.js';
import { thingsToCheck } from './checklist.js';
import type { Finding } from './check.js';
import {
  examineDatabase,
  examineGenerated,
  examineReads,
  examineTypes,
  examineValues,
} from './examine-content.js';
import {
  examineImages,
  examineNode,
  examineProduction,
  examineSecrets,
  examineUploads,
} from './examine-environment.js';
import { examineDraftSetting, examinePublicDrafts } from './examine-drafts.js';
import { examineReplicas } from './examine-replicas.js';
import { examineStrapiCode } from './examine-strapi-code.js';
import { examineSearch } from './examine-search.js';

const examineConfig = async (config: Config, isProduction: boolean): Promise<readonly Finding[]> => [
  ...(await examineSecrets(config, isProduction)),
  ...(await runCheck('uploads', config.root, () => examineUploads(config))),
  ...(await examineImages()),
  ...examineDraftSetting(config),
  ...(isProduction ? examineProduction(config) : []),
];

/** Runs the checks that need valid content-types. */
const examineContent = async (root: string): Promise<readonly Finding[]> => {
  let project: Project | undefined;
  const typeFindings = await runCheck('content-types', root, async () => {
    project = await openProject(root);
    return examineTypes(project);
  });
  if (project === undefined) return typeFindings;
  const loadedProject = project;
  return [
    ...typeFindings,
    ...(await runCheck('database', root, async () => {
      const findings = await examineDatabase(loadedProject);
      const isReady = findings.every(({ status }) => status === 'ok');
      return isReady
        ? [
            ...findings,
            ...(await examineSearch(loadedProject)),
            ...(await examinePublicDrafts(loadedProject)),
          ]
        : findings;
    })),
    ...(await runCheck('replicas', root, () => examineReplicas(loadedProject))),
    ...(await runCheck('values', root, () => examineValues(loadedProject))),
    ...(await runCheck('reads', root, () => examineReads(loadedProject))),
    ...(await runCheck('strapi', root, () => examineStrapiCode(loadedProject))),
    ...(await runCheck('generated', root, () => examineGenerated(loadedProject))),
  ];
};

interface Examination {
  readonly findings: readonly Finding[];
  /** The checks that remain to be made by hand. */
  readonly checklist: readonly string[];
}

/**
 * Runs the checks of `cms doctor`. Changes nothing. If the configuration or the content-types cannot be
 * loaded, skips the checks that need them.
 */
export async function examineProject(root: string, isProduction: boolean): Promise<Examination> {
  const nodeFindings = await examineNode();
  let config: Config | undefined;
  const configFindings = await runCheck('config', root, async () => {
    config = await loadConfig(root, isProduction ? { environmentDefault: 'production' } : {});
    return [ok('config', config.file === null ? 'Defaults' : config.file)];
  });
  if (config === undefined) return { findings: [...nodeFindings, ...configFindings], checklist: [] };
  const loadedConfig = config;
  const findings = [
    ...nodeFindings,
    ...configFindings,
    ...(await runCheck('config', root, () => examineConfig(loadedConfig, isProduction))),
    ...(await examineContent(root)),
  ];
  return { findings, checklist: isProduction ? thingsToCheck(loadedConfig) : [] };
}

const STATUS_SYMBOLS: Readonly<
  Record<Finding['status'], readonly [mark: string, color: 'green' | 'yellow' | 'red']>
> = {
  ok: ['✔', 'green'],
  warning: ['!', 'yellow'],
  error: ['✖', 'red'],
};

/**
 * Prints a line per finding and its remedy below, then what is to be checked by hand. The exit code is 1
 * where there is an error.
 */
export function describeFindings({ findings, checklist }: Examination, style: Style): Outcome {
  const lines = findings.flatMap(({ status, message, remedy }) => {
    const [symbol, color] = STATUS_SYMBOLS[status];
    return [`${style[color](symbol)} ${message}`, ...(remedy === undefined ? [] : [`  ${remedy}`])];
  });
  const isHealthy = findings.every(({ status }) => status !== 'error');
  const byHand = checklist.length === 0 ? [] : ['', 'By hand:', ...checklist.map((item) => `☐ ${item}`)];
  return {
    json: { sound: isHealthy, findings, ...(checklist.length === 0 ? {} : { checklist }) },
    text: [...lines, ...byHand].join('\n'),
    exitCode: isHealthy ? 0 : 1,
  };
}
