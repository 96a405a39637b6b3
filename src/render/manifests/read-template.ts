import { decodeText } from '../../config/yaml/decode-text.ts';
import { toFleetError } from '../../model/fleet-error.ts';
import type { Snapshot } from '../../model/snapshot.ts';
import { renderTemplate } from '../templates/render-template.ts';
import type { TemplateData } from '../templates/template-data.ts';
import { type ManifestFile, readManifestText } from './manifest-file.ts';

/**
 * Renders a file as a template and reads the objects in what comes out.
 * Lines of objects are those of the rendered text, which are the file's own unless the template repeats or drops lines.
 */
export async function readTemplateFile(
  snapshot: Snapshot,
  path: string,
  data: TemplateData,
): Promise<ManifestFile> {
  const failed = (message: string, line = 1, column?: number): ManifestFile => ({
    objects: [],
    faults: [{ message, document: 1, line, ...(column === undefined ? {} : { column }) }],
  });
  try {
    const decoded = decodeText(await snapshot.read(path));
    if (!decoded.ok) return failed(decoded.message);
    const rendered = renderTemplate(decoded.text, data);
    return rendered.ok
      ? readManifestText(rendered.text)
      : failed(`template: ${rendered.message}`, rendered.line, rendered.column);
  } catch (error) {
    const { code, message } = toFleetError(error);
    return { objects: [], faults: [{ code, message, document: 1, line: 1 }] };
  }
}
