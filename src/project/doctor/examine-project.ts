/** The folder doctor contains the checks of `cms doctor`. This file runs them. */
import type { Examination, Finding } from '../../api/administration/operation.js';
import type { Config } from '../../config/config.js';
import { loadConfig } from '../../config/load-config.js';
import { openProject } from '../open/open-project.js';
import type { Project } from '../open/open-project.js';
import { isStrapiProject, printRunningFiles, reportProject } from '../../strapi/report/project-report.js';
import { failed, ok, runCheck, warning } from './check.js';
import {
  examineAccessFiles,
  examineDatabase,
  examineDraftSetting,
  examineGenerated,
  examineGrants,
  examineLimits,
  examinePublicDrafts,
  examineReads,
  examineSignUp,
  examineTypes,
  examineValues,
} from './examine-content.js';
import {
  examineImages,
  examineNode,
  examineProduction,
  examineReplicas,
  examineRepository,
  examineSearch,
  examineSecrets,
  examineSharedCaches,
  examineUploads,
} from './examine-environment.js';

/** Checks the code and plugins written for Strapi. Skipped for projects without any. */
async function examineStrapiCode({ root, strapiConfig, model }: Project): Promise<readonly Finding[]> {
  if (!isStrapiProject(root, strapiConfig)) return [];
  const report = reportProject(root, { config: strapiConfig, model });
  const plugins = report.plugins
    .filter(({ state }) => state === 'missing')
    .map(({ name, reason }) => ({ place: `plugin ${name}`, reason }));
  return [
    ok('strapi', printRunningFiles(report)),
    ...report.errors.map(({ place, reason }) =>
      failed('strapi', `${place}: ${reason}`, 'The server does not start without it. See docs/strapi.md.'),
    ),
    ...[...report.notRunning, ...plugins].map(({ place, reason }) =>
      warning('strapi', `${place} does not run: ${reason}`, 'See docs/strapi.md.'),
    ),
    ...report.warnings.map(({ place, reason }) =>
      warning('strapi', `${place}: ${reason}`, 'See docs/strapi.md.'),
    ),
  ];
}

interface Site {
  readonly database: Pick<Config['database'], 'url'>;
  readonly upload: Pick<Config['upload'], 'provider'>;
}

/** The connections of each pool, in addition to one that listens for changes and one for subscriptions. */
const CONNECTIONS_PER_PROCESS = 18;

/** Returns the checks to do by hand before a site is public. docs/deployment.md has the same list. */
export function manualChecks({ database, upload }: Site): readonly string[] {
  return [
    'A proxy with a certificate is in front, and server.proxy is set.',
    'A service manager starts the server after a reboot or a crash.',
    'A monitor checks /_health, /_ready and the log, and alerts you.',
    'The database and uploaded files are backed up, and restoring a backup was tested.',
    'Copies of JWT_SECRET and API_TOKEN_SALT are kept outside of the server.',
    ...(database.url.startsWith('file:')
      ? []
      : [`PostgreSQL allows ${CONNECTIONS_PER_PROCESS} connections (max_connections) for each process.`]),
    ...(upload.provider === 's3'
      ? []
      : ['The server runs on one machine, or all machines share the uploaded files (S3).']),
  ];
}

const examineConfig = async (config: Config, isProduction: boolean): Promise<readonly Finding[]> => [
  ...(await examineSecrets(config, isProduction)),
  ...(await runCheck('uploads', config.root, () => examineUploads(config))),
  ...(await examineImages()),
  ...examineDraftSetting(config),
  ...(isProduction ? [...examineProduction(config), ...(await examineRepository(config))] : []),
];

/** Runs the checks that require valid content-types. */
const examineContent = async (root: string, isProduction: boolean): Promise<readonly Finding[]> => {
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
            ...(await examineLimits(loadedProject)),
            ...(isProduction ? await examineSignUp(loadedProject) : []),
            ...(isProduction ? await examineGrants(loadedProject) : []),
            ...(await runCheck('permissions', root, () => examineAccessFiles(loadedProject))),
            ...(isProduction ? await examineSharedCaches(loadedProject) : []),
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
    ...(await examineContent(root, isProduction)),
  ];
  return { findings, checklist: isProduction ? manualChecks(loadedConfig) : [] };
}
