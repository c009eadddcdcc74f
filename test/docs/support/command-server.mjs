// Runs the built commands of a page's scripts in one process, since loading the program takes longer than
// most commands. Each runs with the folder, environment, input and outputs of the process that asks for it.
// Prints its port. A request has the process id, the folder, the number of words, the words, the environment
// and `end`, each followed by a zero byte; the response is the exit code.
import { createReadStream, createWriteStream } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { runCli } = await import(new URL('../../../dist/cli/run.js', import.meta.url).href);

/** Returns null while the request is not complete. No variable of the environment is named `end`. */
const parseRequest = (text) => {
  const [pid, cwd, count, ...fields] = text.split('\0');
  if (fields.length <= Number(count) || fields.at(-2) !== 'end') return null;
  const variables = fields.slice(Number(count), -2).map((entry) => {
    const index = entry.indexOf('=');
    return [entry.slice(0, index), entry.slice(index + 1)];
  });
  return { pid, cwd, argv: fields.slice(0, Number(count)), env: Object.fromEntries(variables) };
};

/** Project code reads the environment and the folder of its process. */
const enter = ({ cwd, env }) => {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  Object.assign(process.env, env);
};

const closed = (stream) =>
  new Promise((resolve) => {
    if (stream.closed) resolve();
    else stream.once('close', resolve).end();
  });

/** A reader may end before the command, as `grep -q` does. */
const reportLoss = (argv) => (error) => {
  if (error.code !== 'EPIPE')
    process.stderr.write(`The output of cms ${argv.join(' ')} is lost: ${error.message}\n`);
};

const run = async (request) => {
  const { pid, cwd, env, argv } = request;
  enter(request);
  const stdin = createReadStream(`/proc/${pid}/fd/0`);
  const [stdout, stderr] = [1, 2].map((number) =>
    createWriteStream(`/proc/${pid}/fd/${number}`, { flags: 'a' }),
  );
  stdin.on('error', () => undefined);
  for (const stream of [stdout, stderr]) stream.on('error', reportLoss(argv));
  const exitCode = await runCli(root, argv, { stdin, stdout, stderr, env, cwd });
  stdin.destroy();
  await Promise.all([closed(stdout), closed(stderr)]);
  return exitCode;
};

const server = createServer({ allowHalfOpen: true }, (socket) => {
  let text = '';
  socket.setEncoding('utf8').on('data', (part) => {
    text += part;
    const request = parseRequest(text);
    if (request !== null) void run(request).then((code) => socket.end(`${code}\n`));
  });
  socket.on('error', () => undefined);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
