// The frames of HTTP/2 that libcurl receives from nghttp2, which it doesn't pass on.
//
// libcurl takes some broken streams for complete ones, whatever its version. So its reference to the function by which it
// gives nghttp2 its callback is replaced, as a preloaded library would do it.

#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Declarations of nghttp2, whose headers need not be installed.
typedef struct {
  size_t length;
  int32_t stream;
  uint8_t type, flags, reserved;
} FrameHead;
typedef struct {
  FrameHead head;
  uint32_t error; // of RST_STREAM
} Frame;
typedef int (*FrameCallback)(void *session, const Frame *frame, void *context);

static void (*setCallback)(void *callbacks, FrameCallback callback);
static void *(*streamUserData)(void *session, int32_t stream);
static _Atomic(FrameCallback) libcurlCallback;
static bool hearsFrames;

bool reqrun_hears_frames(void) { return hearsFrames; }

static _Thread_local struct {
  reqrun_frame_callback callback;
  void *context;
} listener;

void reqrun_hear_frames(reqrun_frame_callback callback, void *context) {
  listener.callback = callback;
  listener.context = context;
}

static int onFrame(void *session, const Frame *frame, void *context) {
  if (listener.callback != NULL) {
    // A frame of the connection shows its first exchange that the peer speaks HTTP/2.
    int32_t stream = frame->head.stream == 0 ? 1 : frame->head.stream;
    void *easy = streamUserData(session, stream);
    uint32_t error = frame->head.type == 3 ? frame->error : 0;
    if (easy != NULL) listener.callback(listener.context, easy, frame->head.type, frame->head.flags, error);
  }
  return libcurlCallback(session, frame, context);
}

static void setCallbackOfLibcurl(void *callbacks, FrameCallback callback) {
  bool isOurs = libcurlCallback == NULL || libcurlCallback == callback;
  if (isOurs) libcurlCallback = callback;
  setCallback(callbacks, isOurs ? onFrame : callback);
}

// Replaces the value of a pointer that is read-only since the library was loaded.
static bool replace(void **place, void *value) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  void *start = (void *)((uintptr_t)place & ~(page - 1));
  if (mprotect(start, page, PROT_READ | PROT_WRITE) != 0) return false;
  *place = value;
  return true;
}

// False if this libcurl doesn't use nghttp2, or contains it.
static bool hearFrames(void *library) {
  static const char name[] = "nghttp2_session_callbacks_set_on_frame_recv_callback";
  struct link_map *map = NULL;
  setCallback = dlsym(library, name);
  streamUserData = dlsym(library, "nghttp2_session_get_stream_user_data");
  if (setCallback == NULL || streamUserData == NULL || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) return false;
  const ElfW(Sym) *symbols = NULL;
  const char *names = NULL;
  struct {
    const ElfW(Rela) *first;
    size_t size;
  } tables[2] = {0};
  for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
    // glibc has added the library's address; musl hasn't.
    ElfW(Addr) address = entry->d_un.d_ptr < map->l_addr ? map->l_addr + entry->d_un.d_ptr : entry->d_un.d_ptr;
    if (entry->d_tag == DT_SYMTAB) symbols = (const void *)address;
    if (entry->d_tag == DT_STRTAB) names = (const void *)address;
    if (entry->d_tag == DT_RELA) tables[0].first = (const void *)address;
    if (entry->d_tag == DT_JMPREL) tables[1].first = (const void *)address;
    if (entry->d_tag == DT_RELASZ) tables[0].size = entry->d_un.d_val;
    if (entry->d_tag == DT_PLTRELSZ) tables[1].size = entry->d_un.d_val;
  }
  if (symbols == NULL || names == NULL) return false;
  for (int table = 0; table < 2; table++) {
    for (size_t index = 0; index < tables[table].size / sizeof(ElfW(Rela)); index++) {
      const ElfW(Rela) *place = &tables[table].first[index];
      if (strcmp(names + symbols[place->r_info >> 32].st_name, name) != 0) continue;
      return replace((void **)(map->l_addr + place->r_offset), (void *)setCallbackOfLibcurl);
    }
  }
  return false;
}
