// The types of what this product uses of idb. The package has its own, for schemas that this database has none of.
// biome-ignore-all lint/suspicious/noExplicitAny: any value can be stored
export interface IDBPObjectStore {
  get(key: IDBValidKey): Promise<any>;
  getAll(): Promise<any[]>;
  put(value: any): Promise<IDBValidKey>;
  delete(key: IDBValidKey): Promise<void>;
  clear(): Promise<void>;
}
export interface IDBPTransaction {
  store: IDBPObjectStore;
  done: Promise<void>;
  objectStore(name: string): IDBPObjectStore;
  abort(): void;
}
export interface IDBPDatabase {
  objectStoreNames: DOMStringList;
  transaction(name: string, mode: IDBTransactionMode, options?: IDBTransactionOptions): IDBPTransaction;
  createObjectStore(name: string, options: IDBObjectStoreParameters): IDBPObjectStore;
  close(): void;
}
export function openDB(
  name: string,
  version?: number,
  callbacks?: {
    upgrade?(base: IDBPDatabase, from: number, to: number | null, work: IDBPTransaction): void;
    blocking?(from: number, to: number | null, event: IDBVersionChangeEvent): void;
    terminated?(): void;
  },
): Promise<IDBPDatabase>;
