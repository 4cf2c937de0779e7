"""Tests that scripts/packages/check_wheels.py accepts the metadata of the package's build, and refuses changed metadata. The test
builds no wheel of webnn; the wheel's files are empty. It builds webnn-onnxruntime, which has no native code. Exit status 77: skipped without setup_python_package.sh."""
import pathlib
import subprocess
import sys
import tempfile
import zipfile

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / 'scripts/packages'))
import check_wheels  # noqa: E402

python = root / 'build/python-package/bin/python'
if not python.exists():
    print(f'skipped: there is no {python}')
    sys.exit(77)
INFO = f'webnn-{check_wheels.VERSION}.dist-info/'


def metadata(folder):
    """Returns {name: content} of the metadata files that scikit-build-core makes."""
    program = 'import sys; from scikit_build_core.build import prepare_metadata_for_build_wheel as prepare; prepare(sys.argv[1])'
    subprocess.run([python, '-c', program, folder], cwd=root / 'bindings/python', check=True, capture_output=True)
    return {f'{path.relative_to(folder)}': path.read_text() for path in pathlib.Path(folder).rglob('*') if path.is_file()}


def problems(files, name):
    with tempfile.TemporaryDirectory() as folder:
        wheel = pathlib.Path(folder) / name
        with zipfile.ZipFile(wheel, 'w') as archive:
            for file, text in files.items():
                archive.writestr(file, text)
        return list(check_wheels.problems_inside(wheel))


with tempfile.TemporaryDirectory() as folder:
    good = metadata(folder)
# The tag of a release's wheel: build_wheels.sh sets cp312-abi3, auditwheel sets manylinux. A local build has neither.
tag = 'cp312-abi3-manylinux_2_28_x86_64'
good[INFO + 'WHEEL'] = good[INFO + 'WHEEL'].partition('Tag: ')[0] + f'Tag: {tag}\n'
WHEEL = f'webnn-{check_wheels.VERSION}-{tag}.whl'
good |= {'webnn/_webnn.abi3.so': ''} | {f'webnn/licences/{name}.txt': '' for name in check_wheels.LICENCES}


def replaced(file, old, new):
    assert old in good[file], (file, old)
    return good | {file: good[file].replace(old, new)}


def without(file):
    return {name: text for name, text in good.items() if name != file}


other = 'cp310-cp310-manylinux_2_28_x86_64'
for files, name, expected in [
        (good, WHEEL, []),
        (replaced(INFO + 'METADATA', 'Name: webnn', 'Name: other'), WHEEL, ['METADATA has Name other, not webnn']),
        (replaced(INFO + 'METADATA', f'\nVersion: {check_wheels.VERSION}', '\nVersion: 9.9'), WHEEL,
         [f'METADATA has Version 9.9, not {check_wheels.VERSION}']),
        (replaced(INFO + 'METADATA', 'Apache-2.0', 'MIT'), WHEEL, ['METADATA has License-Expression MIT, not Apache-2.0']),
        (without(INFO + 'entry_points.txt'), WHEEL, ['the command webnn is missing']),
        (replaced(INFO + 'entry_points.txt', 'webnn =', 'web ='), WHEEL, ['the command webnn is missing']),
        (good, WHEEL.replace('2_28', '2_17'), [f"its name has the tags {tag.replace('2_28', '2_17')}, WHEEL has ['{tag}']"]),
        (replaced(INFO + 'WHEEL', tag, other), WHEEL.replace(tag, other), ['it is for cp310-cp310']),
        (without('webnn/licences/libfmt-dev.txt'), WHEEL,
         ['licences of what is linked are missing: webnn/licences/libfmt-dev.txt']),
        (good | {'webnn.libs/libcapnp-0.9.2.so': ''}, WHEEL,
         ["the libraries are ['webnn/_webnn.abi3.so', 'webnn.libs/libcapnp-0.9.2.so'], not webnn/_webnn alone"])]:
    assert problems(files, name) == expected, (problems(files, name), expected)
(found,) = problems(good | {'webnn/_webnn.abi3.so': '0' * 8_000_000}, WHEEL)
assert found.endswith('bytes are more than 8,000,000'), found

with tempfile.TemporaryDirectory() as folder:
    command = [python, '-m', 'pip', 'wheel', '--quiet', '--no-deps', '--no-index', '--no-build-isolation', '--wheel-dir', folder]
    subprocess.run([*command, root / 'bindings/python/onnxruntime'], check=True)
    (built,) = pathlib.Path(folder).glob('*.whl')
    assert not list(check_wheels.problems_of_stand_in(built)), list(check_wheels.problems_of_stand_in(built))
    with zipfile.ZipFile(built, 'a') as archive:
        archive.writestr('onnxruntime/capi.py', '')
    (found,) = check_wheels.problems_of_stand_in(built)
    assert found.startswith('its files are onnxruntime/__init__.py, onnxruntime/capi.py, not'), found
