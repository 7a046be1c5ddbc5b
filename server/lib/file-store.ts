/**
 * Store of encrypted images: a folder or a bucket. Names are random ids, so they reveal nothing and
 * are never written twice. Every call has a time limit and is retried where that may help, so it
 * must not be made inside a transaction.
 */
export interface FileStore {
  /** Resolves when the bytes can be read. Otherwise no part of them stays. @throws {FileStoreError} */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** @throws {FileStoreError} */
  get(name: string): Promise<Buffer>;
  /** Succeeds also if the file does not exist. @throws {FileStoreError} */
  delete(name: string): Promise<void>;
  /** Writes a file, reads it back and deletes it. Throws if that fails, or if little room is left. */
  verify(): Promise<void>;
}

export class FileStoreError extends Error {
  override readonly name = 'FileStoreError';
  /**
   * `FILES_MISSING`: there is no such file. Otherwise the store refused or could not be reached.
   */
  readonly code: 'FILES_MISSING' | 'FILES_UNAVAILABLE';

  constructor(code: FileStoreError['code'], cause: unknown) {
    super(
      code === 'FILES_MISSING' ? 'The file is not there' : 'The file store could not be reached',
      { cause },
    );
    this.code = code;
  }
}
