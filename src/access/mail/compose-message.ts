import type { SendMailOptions } from 'nodemailer';

/** Returns the source of a message, as it would be sent. Links stand unbroken in it. */
export async function composeMessage(message: SendMailOptions): Promise<Buffer> {
  const { createTransport } = await import('nodemailer');
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  composer.use('stream', ({ message: { childNodes } }, done) => {
    for (const part of childNodes) part.getTransferEncoding = () => '8bit';
    done();
  });
  const { message: source } = await composer.sendMail(message);
  return source as Buffer;
}
