/** A variable of ours as the steps that lead to it: ['cluster', 'labels', 'example.com/tier']. */
export type Variable = readonly (string | number)[];

/** A piece of a template in our language. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  /** `variable` is set where the expression is that variable alone: then it can be said in a condition, too. */
  | { readonly kind: 'output'; readonly expression: string; readonly variable?: Variable }
  | { readonly kind: 'tag'; readonly tag: string };

export type Template = readonly Part[];

export function textPart(text: string): Part {
  return { kind: 'text', text };
}

export function variablePart(variable: Variable): Part {
  return { kind: 'output', expression: liquidVariable(variable), variable };
}

/** The template as Liquid. */
export function liquidText(template: Template): string {
  return template
    .map((part) => {
      switch (part.kind) {
        case 'text':
          // Text that looks like Liquid must come out as it stands.
          return /\{[{%]/.test(part.text) ? `{% raw %}${part.text}{% endraw %}` : part.text;
        case 'output':
          return `{{ ${part.expression} }}`;
        case 'tag':
          return `{% ${part.tag} %}`;
      }
    })
    .join('');
}

/** The template as a CEL expression that gives text; undefined where it holds more than text and variables. */
export function celText(template: Template): string | undefined {
  const parts = template.map((part) => {
    if (part.kind === 'text') return JSON.stringify(part.text);
    return part.kind === 'output' && part.variable !== undefined ? celVariable(part.variable) : undefined;
  });
  if (parts.includes(undefined)) return undefined;
  return parts.length === 0 ? '""' : parts.join(' + ');
}

/** The text of a template without anything to fill in; undefined for any other. */
export function constantText(template: Template): string | undefined {
  if (template.some(({ kind }) => kind !== 'text')) return undefined;
  return template.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

/** The variable that a template consists of; undefined for any other. */
export function onlyVariable(template: Template): Variable | undefined {
  const [part] = template;
  return template.length === 1 && part?.kind === 'output' ? part.variable : undefined;
}

export function liquidVariable(variable: Variable): string {
  return joinSteps(variable, /^[A-Za-z_][\w-]*$/);
}

/** Source: the CEL language definition, which reserves these words beside its keywords. */
const reserved =
  'as|break|const|continue|else|false|for|function|if|import|in|let|loop|namespace|null|package|return|true|var|void|while';
const celWord = new RegExp(`^(?!(?:${reserved})$)[A-Za-z_]\\w*$`);

export function celVariable(variable: Variable): string {
  return joinSteps(variable, celWord);
}

function joinSteps([root = '', ...steps]: Variable, plainWord: RegExp): string {
  return [
    String(root),
    ...steps.map((step) =>
      typeof step === 'string' && plainWord.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`,
    ),
  ].join('');
}
