import { nodeAt, type Snapshot, type TreeNode } from '../../../model/snapshot.ts';

/** Functions of helm whose results differ from one rendering to the next. Source: helm's and sprig's function lists. */
const unsteady =
  /\b(?:rand(?:AlphaNum|Alpha|Ascii|Numeric|Bytes|Int)|gen(?:PrivateKey|CA|SelfSignedCert|SignedCert)(?:WithKey)?|uuidv4|now|ago|shuffle|bcrypt|htpasswd|encryptAES)\b/;
/** An action, as far as it is on one line: other text does not count. */
const action = /\{\{[^\n]*/g;

/** Whether a template below the folders uses one of them, if only perhaps: it may never come to that. */
export async function hasUnsteadyTemplates(snapshot: Snapshot, folders: readonly string[]): Promise<boolean> {
  const paths = folders.flatMap((folder) => templatesAt(nodeAt(snapshot.tree, folder), folder));
  try {
    const texts = await Promise.all(
      paths.map(async (path) => new TextDecoder().decode(await snapshot.read(path))),
    );
    return texts.some((text) => text.match(action)?.some((part) => unsteady.test(part)) === true);
  } catch {
    // Staging the chart reads the same files and tells what is wrong with them.
    return false;
  }
}

function templatesAt(node: TreeNode | undefined, path: string): string[] {
  if (node?.kind === 'file') return /(?:^|\/)templates\/.*\.(?:ya?ml|tpl|json)$/.test(path) ? [path] : [];
  if (node?.kind !== 'directory') return [];
  return [...node.children].flatMap(([name, child]) =>
    templatesAt(child, path === '' ? name : `${path}/${name}`),
  );
}
