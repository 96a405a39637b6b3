import { type Token, tokensOf } from './go-lexer.ts';
import { Untranslatable } from './untranslatable.ts';

/** An expression of a Go template. A pipeline is a call whose last argument is what was piped into it. */
export type GoNode =
  | { readonly kind: 'parameter'; readonly path: readonly (string | number)[] }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly GoNode[] };

/** Reads a pipeline such as `index .metadata.labels "env" | default "dev" | upper`. @throws Untranslatable */
export function parsePipeline(source: string): GoNode {
  const parser = new Parser(tokensOf(source));
  const node = parser.pipeline();
  parser.expectEnd();
  return node;
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  pipeline(): GoNode {
    let node = this.#command();
    while (this.#takes('|')) {
      const name = this.#name();
      node = lookUp({ kind: 'call', name, args: [...this.#operands(), node] });
    }
    return node;
  }

  expectEnd(): void {
    if (this.#next < this.#tokens.length) throw new Untranslatable('it is no single pipeline');
  }

  #command(): GoNode {
    const token = this.#tokens[this.#next];
    if (token?.kind === 'name') {
      this.#next++;
      return lookUp({ kind: 'call', name: token.name, args: this.#operands() });
    }
    const [node, ...more] = this.#operands();
    if (node === undefined || more.length > 0) throw new Untranslatable('it is no single value');
    return node;
  }

  #name(): string {
    const token = this.#tokens[this.#next++];
    if (token?.kind !== 'name') throw new Untranslatable('after | a function is expected');
    return token.name;
  }

  #operands(): GoNode[] {
    const nodes: GoNode[] = [];
    for (;;) {
      const node = this.#operand();
      if (node === undefined) return nodes;
      nodes.push(node);
    }
  }

  #operand(): GoNode | undefined {
    const token = this.#tokens[this.#next];
    if (token === undefined || (token.kind === 'punctuation' && token.text !== '(')) return undefined;
    this.#next++;
    switch (token.kind) {
      case 'field':
        return { kind: 'parameter', path: token.path };
      case 'literal':
        return token;
      case 'name':
        return lookUp({ kind: 'call', name: token.name, args: [] });
      case 'punctuation':
        return this.#group();
    }
  }

  #group(): GoNode {
    const node = this.pipeline();
    if (!this.#takes(')')) throw new Untranslatable('a ( is not closed');
    const token = this.#tokens[this.#next];
    if (token?.kind !== 'field' || !token.joined) return node;
    this.#next++;
    if (node.kind !== 'parameter') throw new Untranslatable('a field of a result has no equal');
    return { kind: 'parameter', path: [...node.path, ...token.path] };
  }

  #takes(text: '(' | ')' | '|'): boolean {
    const token = this.#tokens[this.#next];
    const found = token?.kind === 'punctuation' && token.text === text;
    if (found) this.#next++;
    return found;
  }
}

/** `index .metadata.labels "env"` and `get .metadata.labels "env"` only say a path in another way. */
function lookUp(node: Extract<GoNode, { kind: 'call' }>): GoNode {
  if (node.name !== 'index' && node.name !== 'get') return node;
  const [map, ...keys] = node.args;
  if (map?.kind !== 'parameter') throw new Untranslatable(`${node.name} of a result has no equal`);
  const steps = keys.map((key) => {
    if (key.kind === 'literal' && (typeof key.value === 'string' || typeof key.value === 'number')) {
      return key.value;
    }
    throw new Untranslatable(`${node.name} with a key that is computed has no equal`);
  });
  return { kind: 'parameter', path: [...map.path, ...steps] };
}
