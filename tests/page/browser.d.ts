// What browsers have and Debian 12's TypeScript does not know of yet.
declare class DecompressionStream {
  constructor(format: string);
  readonly readable: ReadableStream;
  readonly writable: WritableStream;
}
