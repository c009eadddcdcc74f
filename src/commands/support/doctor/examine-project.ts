import { openProject } from '../../../app/open-project.js';
import type { Project } from '../../../app/open-project.js';
import { loadConfig } from '../../../config/load-config.js';
import type { Config } from '../../../config/config.js';
import type { Outcome } from '../outcome.js';
import type { Style } from '../style.js';
import { examine, ok } from './check.js';
import type { Finding } from './check.js';
import { examineDatabase, examineGenerated, examineTypes } from './project.js';
import { examineImages, examineNode, examineProduction, examineSecrets, examineUploads } from './surroundings.js';

const examineConfig = async (config: Config, isProduction: boolean): Promise<readonly Finding[]> => [
  ...(await examineSecrets(config, isProduction)),
  ...(await examine('uploads', () => examineUploads(config))),
  ...(await examineImages()),
  ...(isProduction ? examineProduction(config) : []),
];

/** Checks that need content-types that load. */
const examineContent = async (root: string): Promise<readonly Finding[]> => {
  let project: Project | undefined;
  const types = await examine('content-types', async () => {
    project = await openProject(root);
    return examineTypes(project);
  });
  if (project === undefined) return types;
  const opened = project;
  return [...types, ...(await examine('database', () => examineDatabase(opened))), ...(await examine('generated', () => examineGenerated(opened)))];
};

/** Everything `cms doctor` looks at, in the order in which one thing needs the other. Changes nothing. */
export async function examineProject(root: string, isProduction: boolean): Promise<readonly Finding[]> {
  const node = await examineNode();
  let config: Config | undefined;
  const configured = await examine('config', async () => {
    config = await loadConfig(root, isProduction ? { environmentDefault: 'production' } : {});
    return [ok('config', config.file === null ? 'Defaults' : config.file)];
  });
  if (config === undefined) return [...node, ...configured];
  const read = config;
  return [...node, ...configured, ...(await examine('config', () => examineConfig(read, isProduction))), ...(await examineContent(root))];
}

const MARKS: Readonly<Record<Finding['status'], readonly [mark: string, color: 'green' | 'yellow' | 'red']>> = {
  ok: ['✔', 'green'],
  warning: ['!', 'yellow'],
  error: ['✖', 'red'],
};

/** A line per finding, with what to do under it; exit code 1 where something is broken. */
export function describeFindings(findings: readonly Finding[], style: Style): Outcome {
  const lines = findings.flatMap(({ status, message, remedy }) => {
    const [mark, color] = MARKS[status];
    return [`${style[color](mark)} ${message}`, ...(remedy === undefined ? [] : [`  ${remedy}`])];
  });
  const isSound = findings.every(({ status }) => status !== 'error');
  return { json: { sound: isSound, findings }, text: lines.join('\n'), exitCode: isSound ? 0 : 1 };
}
