import { configFault, formatPath } from '../config/parse-document.ts';
import type { YamlDocument } from '../config/yaml/parse-manifests.ts';
import type { FleetError } from '../model/fleet-error.ts';
import type { Origin } from '../model/origin.ts';
import type { Finding, FindingKind } from '../model/import-result.ts';

/** Keys and indexes that lead to a value of a document. */
export type Path = readonly (string | number)[];

/** Collects what is to be said of one foreign document, each with its place in the file. */
export class Notes {
  readonly file: string;
  readonly findings: Finding[] = [];
  readonly faults: FleetError[] = [];
  /** The document is not what the other tool would take: nothing that is made of it can be trusted. */
  isBroken = false;
  readonly #document: YamlDocument;
  readonly #root: Path;
  readonly #said = new Set<string>();

  /** @param root where in the document the object stands that is translated: an item of a List, or all of it. */
  constructor(document: YamlDocument, file: string, root: Path = []) {
    this.#document = document;
    this.file = file;
    this.#root = root;
  }

  /** Adds a finding about the value at a path. The same said twice of one place is said once. */
  add(kind: FindingKind, path: Path, said: { readonly message: string; readonly remedy?: string }): void {
    const finding = {
      kind,
      path: formatPath([...this.#root, ...path]),
      ...said,
      origin: this.originOf(path),
    };
    const key = JSON.stringify([finding.path, said.message]);
    if (this.#said.has(key)) return;
    this.#said.add(key).add(said.message);
    this.findings.push(finding);
  }

  /** As `add`, but what was said of any place of the document is not said of another. */
  addOnce(kind: FindingKind, path: Path, said: { readonly message: string; readonly remedy?: string }): void {
    if (!this.#said.has(said.message)) this.add(kind, path, said);
  }

  /** Adds a fault: the document itself is wrong at that path. */
  fault(path: Path, message: string): void {
    this.isBroken = true;
    this.#addFault(path, message, path);
  }

  /** Adds a fault about a key that is not known: a newer version may have it, so that the rest can be translated. */
  unknownKey(map: Path, key: string, hint: string): void {
    this.#addFault([...map, key], `unknown key ${JSON.stringify(key)}${hint}`, map);
  }

  #addFault(path: Path, message: string, prefix: Path): void {
    const fault = configFault(message, this.#document, {
      file: this.file,
      path: [...this.#root, ...path],
      prefix: [...this.#root, ...prefix],
    });
    if (this.#said.has(fault.describe())) return;
    this.#said.add(fault.describe());
    this.faults.push(fault);
  }

  originOf(path: Path): Origin {
    const { line, column } = this.#document.locate([...this.#root, ...path], 'key');
    return { generator: '', file: this.file, document: this.#document.document, line, column };
  }
}
