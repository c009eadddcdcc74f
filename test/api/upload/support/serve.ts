import { startServer } from '../../../../src/app/start-server.js';

/** A server in a process of its own that tells how much memory it takes: run with the project's folder, answers every message with the highest figure since the one before. */
const [, , root = ''] = process.argv;
const server = await startServer(root, { overrides: { host: '127.0.0.1', port: 0, logLevel: 'error' } });
let highest = 0;
const look = (): void => {
  highest = Math.max(highest, process.memoryUsage.rss());
};
setInterval(look, 5).unref();
process.on('message', () => {
  look();
  process.send?.({ highest });
  highest = 0;
});
process.on('disconnect', () => {
  void server.close();
});
process.send?.({ url: server.url });
