/** The address to open: `http://127.0.0.1:1337`. A server that listens everywhere is reached at localhost. */
export function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' || host === '' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
