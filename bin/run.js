#!/usr/bin/env node
// Uses only syntax that old versions of Node.js parse, so that they print which version is needed instead
// of a syntax error.
import { accessSync, constants, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = new URL('../dist/cli/run.js', import.meta.url);
const argv = process.argv.slice(2);

const nodeIsTooOld = () => {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major < 20 || (major === 20 && minor < 19);
};

/** Why the program cannot be loaded. Undefined where it can. */
const findObstacle = () => {
  try {
    accessSync(program, constants.R_OK);
    return undefined;
  } catch (error) {
    return error.code === 'ENOENT'
      ? 'Error: cms is not built.\nHint: run "npm run build" in its folder.\n'
      : `Error: cms cannot be read: ${error.message}.\n` +
          `Hint: let this user read its folder, for example with: chmod -R a+rX '${root}'\n`;
  }
};

const isVersionRequest = () =>
  argv.every((word) => word.startsWith('-')) && argv.some((word) => word === '--version' || word === '-v');

/** Prints the version before anything else is loaded. */
const printVersion = () => {
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const platform = `${process.platform}-${process.arch}`;
  const document = { name, version, node: process.versions.node, platform };
  const text = `${name}/${version} ${platform} node-${process.version}`;
  process.stdout.write(`${argv.includes('--json') ? JSON.stringify(document, null, 2) : text}\n`);
};

/**
 * A reader that closes the pipe early (`cms routes | head`) is not an error and must not stop the command's
 * work.
 */
const tolerateClosedPipe = (stream) => {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });
};

const flushed = (stream) =>
  new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) resolve();
    else stream.write('', () => resolve());
  });

/** Ends the process once all output is written, even where something still listens. */
const end = async (code) => {
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  process.exit(code);
};

const main = async () => {
  tolerateClosedPipe(process.stdout);
  tolerateClosedPipe(process.stderr);
  const { reportCrash, runCli } = await import(program.href);
  const { stdin, stdout, stderr, env } = process;
  const terminal = { stdin, stdout, stderr, env, cwd: process.cwd() };
  let isCrashing = false;
  process.on('uncaughtException', (error) => {
    // A command that serves on, or code of the project, may listen as well.
    if (process.listenerCount('uncaughtException') !== 1) return;
    // The error is that of the report. To report it would fail again.
    if (isCrashing) process.exit(1);
    isCrashing = true;
    void reportCrash(error, argv, terminal)
      .catch(() => {
        stderr.write(`Error: ${error instanceof Error ? error.stack : String(error)}\n`);
        return 1;
      })
      .then(end);
  });
  await end(await runCli(root, argv, terminal));
};

if (nodeIsTooOld()) {
  process.stderr.write(`Error: cms needs Node.js 20.19 or newer; this is ${process.version}.\n`);
  process.exitCode = 1;
} else if (isVersionRequest()) {
  printVersion();
} else {
  const obstacle = findObstacle();
  if (obstacle === undefined) await main();
  else {
    process.stderr.write(obstacle);
    process.exitCode = 1;
  }
}
