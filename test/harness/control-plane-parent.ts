import { type ControlPlaneBinaries, componentNames } from '../../src/local/control-plane/component-name.ts';
import { startControlPlane } from '../../src/local/control-plane/start-control-plane.ts';

/** A process that starts a control plane, prints the pids of its components as JSON, and stays until it is killed. */
const [dir, binaries] = process.argv.slice(2);
const controlPlane = await startControlPlane({
  // The test that starts this process wrote it.
  binaries: JSON.parse(binaries!) as ControlPlaneBinaries,
  dir: dir!,
  name: 'orphan',
});
console.log(JSON.stringify(componentNames.map((name) => controlPlane.component(name).pid)));
setInterval(() => undefined, 60_000);
