import { IncomingMessage } from 'node:http';

/**
 * A request whose body can be taken as Node.js hands it over, past the stream: the events of a stream take
 * longer than all else that a short body costs.
 */
export class IncomingRequest extends IncomingMessage {
  #onBody: ((body: Buffer | null) => void) | null = null;
  #length = 0;
  #body: Buffer | null = null;

  /**
   * Calls back once the request has arrived.
   *
   * @param length bytes, as its header says
   * @param onBody `body`: null where it comes in several parts or has come already, so that it is read from
   *   the stream. Otherwise the stream has nothing, unless `returnBody` puts it there
   */
  takeBody(length: number, onBody: (body: Buffer | null) => void): void {
    if (this.complete || this.readableLength > 0) return onBody(null);
    this.#length = length;
    this.#onBody = onBody;
  }

  /** Puts a body that was taken into the stream, to be read as if nobody had. */
  returnBody(): void {
    if (this.#body === null) return;
    super.push(this.#body);
    super.push(null);
    this.#body = null;
  }

  /** Called by Node.js with each part of the body, and with null at its end. */
  override push(part: Buffer | null, encoding?: BufferEncoding): boolean {
    const onBody = this.#onBody;
    if (onBody === null) return super.push(part, encoding);
    if (part?.length === this.#length) {
      this.#body = part;
      return true;
    }
    this.#onBody = null;
    if (this.#body !== null) {
      onBody(this.#body);
      return true;
    }
    const takesMore = super.push(part, encoding);
    onBody(null);
    return takesMore;
  }
}
